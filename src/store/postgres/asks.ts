/**
 * What one member asks of another: nothing but the database joins them. An ask is addressed to a lease. Whoever holds that
 * takes it before it is done, as leader and once, and answers as leader; whoever has asked may take back what nobody took.
 */
import type { AsLeader } from './as-leader.ts';
import type { Database } from './connection.ts';

export interface MemberAsk {
  /** The installation. */
  instance: string;
  id: string;
  /** Whoever holds it is asked. */
  lease: string;
  /** Who asks. */
  member: string;
  /** What is to be done. */
  name: string;
  /** JSON, as it is asked over a control socket. */
  ask: string;
}

export type TakenAsk = Pick<MemberAsk, 'id' | 'member' | 'name' | 'ask'>;

/** More than people ask within a minute. */
const MOST_WAITING = 100;
const MOST_TAKEN_AT_ONCE = 20;
/** Whoever has asked has given up long before. */
const TAKEN_WITHIN = `interval '15 seconds'`;
const KEPT_FOR = `interval '1 minute'`;

/** False where too many wait already. What nobody has fetched goes. Rejects with `DatabaseError`. */
export async function putAsk({ ask: run }: Database, asked: MemberAsk): Promise<boolean> {
  const { instance, id, lease, member, name, ask } = asked;
  const rows = await run(
    'ask another member through',
    `with gone as (delete from linewatch_ask where instance = $1 and asked_at < clock_timestamp() - ${KEPT_FOR})
     insert into linewatch_ask (instance, id, lease, member, name, ask, asked_at)
     select $1, $2, $3, $4, $5, $6, clock_timestamp()
      where (select count(*) from linewatch_ask
              where instance = $1 and asked_at >= clock_timestamp() - ${KEPT_FOR}) < ${MOST_WAITING}
     returning id`,
    [instance, id, lease, member, name, ask],
  );
  return rows.length > 0;
}

type AskId = Pick<MemberAsk, 'instance' | 'id'>;

/** The answer, JSON, which is gone with that; null before there is one. Rejects with `DatabaseError`. */
export async function fetchAnswer({ ask }: Database, { instance, id }: AskId): Promise<string | null> {
  const [row] = await ask<{ answer: string }>(
    'hear the answer of another member from',
    'delete from linewatch_ask where instance = $1 and id = $2 and answer is not null returning answer',
    [instance, id],
  );
  return row?.answer ?? null;
}

/** False where it was taken, and may be done or not. Rejects with `DatabaseError`. */
export async function takeBackAsk({ ask }: Database, { instance, id }: AskId): Promise<boolean> {
  const rows = await ask(
    'take back what was asked through',
    'delete from linewatch_ask where instance = $1 and id = $2 and taken_at is null returning id',
    [instance, id],
  );
  return rows.length > 0;
}

/** What is asked of the lease that `write` holds, oldest first; nobody takes it again. `largest` in bytes. */
export async function takeAsks(write: AsLeader, largest: number): Promise<TakenAsk[]> {
  const { asks } = await write<{ held: boolean; asks: string | null }>(
    'take what other members ask in',
    `, next as (
       select id from linewatch_ask
        where instance = $1 and lease = $2 and taken_at is null and octet_length(ask) <= $5
          and asked_at > clock_timestamp() - ${TAKEN_WITHIN}
        order by asked_at limit ${MOST_TAKEN_AT_ONCE}),
     taken as (
       update linewatch_ask set taken_at = clock_timestamp()
        where exists (select from held) and instance = $1 and taken_at is null and id in (select id from next)
        returning id, member, name, ask, asked_at)
     select true as held,
            (select json_agg(json_build_object('id', id, 'member', member, 'name', name, 'ask', ask) order by asked_at)
               from taken)::text as asks
       from held`,
    [largest],
  );
  return asks === null ? [] : (JSON.parse(asks) as TakenAsk[]);
}

/** `answer` is JSON. */
export async function answerAsk(write: AsLeader, { id, answer }: { id: string; answer: string }): Promise<void> {
  await write(
    'answer another member in',
    `, answered as (
       update linewatch_ask set answer = $6 where exists (select from held) and instance = $1 and id = $5)
     select true as held from held`,
    [id, answer],
  );
}
