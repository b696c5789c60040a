/**
 * Requests between members, whose only connection is the database. A request is addressed to a lease. The lease holder
 * takes it before performing it, as leader and once, and answers as leader; the sender may withdraw a request that no
 * one has taken.
 */
import type { AsLeader } from './as-leader.ts';
import type { Database } from './connection.ts';

export interface MemberAsk {
  /** Name of the installation. */
  instance: string;
  id: string;
  /** Lease whose holder gets the request. */
  lease: string;
  /** Name of the sender. */
  member: string;
  /** Name of the request. */
  name: string;
  /** JSON, as over a control socket. */
  ask: string;
}

export type TakenAsk = Pick<MemberAsk, 'id' | 'member' | 'name' | 'ask'>;

/** More than people send within a minute. */
const MOST_WAITING = 100;
const MOST_TAKEN_AT_ONCE = 20;
/** The sender has given up long before. */
const TAKEN_WITHIN = `interval '15 seconds'`;
const KEPT_FOR = `interval '1 minute'`;

/** False if too many wait already. Deletes answers that were never fetched. Rejects with `DatabaseError`. */
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

/** Fetches the answer, JSON, and deletes it; null before there is one. Rejects with `DatabaseError`. */
export async function fetchAnswer({ ask }: Database, { instance, id }: AskId): Promise<string | null> {
  const [row] = await ask<{ answer: string }>(
    'hear the answer of another member from',
    'delete from linewatch_ask where instance = $1 and id = $2 and answer is not null returning answer',
    [instance, id],
  );
  return row?.answer ?? null;
}

/** False if it was taken, and may have been performed. Rejects with `DatabaseError`. */
export async function takeBackAsk({ ask }: Database, { instance, id }: AskId): Promise<boolean> {
  const rows = await ask(
    'take back what was asked through',
    'delete from linewatch_ask where instance = $1 and id = $2 and taken_at is null returning id',
    [instance, id],
  );
  return rows.length > 0;
}

/** Takes the requests to the lease that `write` holds, oldest first, each only once. `largest` in bytes. */
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
