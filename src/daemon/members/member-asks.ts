/**
 * Forwards requests to other members: through the database to the leader of the shard, who performs them like its own.
 * Each is performed once or not at all; the caller learns which, or that it is unknown.
 */
import type { MemberBase } from './member-base.ts';
import { ControlRefusal, LARGEST_ASK } from '../../control/protocol.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { MembersView } from '../../core/view/system-status.ts';
import { createLeaderAccess, type AsLeader } from '../../store/postgres/as-leader.ts';
import { answerAsk, fetchAnswer, putAsk, takeAsks, takeBackAsk, type TakenAsk } from '../../store/postgres/asks.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { LeaseLost, type Term } from '../../store/postgres/lease.ts';
import type { Wakeups } from '../../store/postgres/wakeups.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { Performers } from '../status/daemons.ts';
import type { HeldLease } from './held-lease.ts';

/** How long the sender waits for the leader to take the request, and then for the answer. */
const TAKEN_WITHIN_MS = 5 * SECOND;
/** Timeout of the database, so that the sender waits no longer. */
const GIVES_UP_AFTER_MS = 7 * SECOND;
const LOOKS_FOR_ANSWER_MS = 100;

const NOTHING = 'Nothing was changed.';
const UNKNOWN = 'Whether it was done is not known: look before you ask again.';

/** A lease held here. */
export interface HeldHere {
  term: Term;
  heldLease: Pick<HeldLease, 'mayAct' | 'over' | 'lose'>;
  /** Null while it starts or ends: its requests wait. */
  daemon: Daemon | null;
}

export interface MemberAsksDeps extends Pick<MemberBase, 'database' | 'instance' | 'name' | 'clock' | 'log'> {
  /** Name of a shard's lease. */
  leaseOf(shard: number): string;
  /** Reads the current state of the other members. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  view(): MembersView;
  /** Notifies the other members of a request or an answer. */
  wakeups: Pick<Wakeups, 'wake'>;
}

export type MemberAsks = ReturnType<typeof createMemberAsks>;

type AskAnswer = { answer: unknown } | { refusal: string };

/** Connects to nothing by itself. */
export function createMemberAsks(deps: MemberAsksDeps) {
  return {
    /**
     * Forwards to the leader of this shard. Resolves to the answer; rejects with `ControlRefusal`: the reason of a
     * failure, or that the result is unknown.
     */
    pass: createPass(deps),
    /** Performs requests of other members for these leases, as found by a look; skips leases with a running request. */
    answerOnce: createAnswerer(deps),
  };
}

function createPass({ database, instance, name: self, leaseOf, refresh, view, wakeups, clock }: MemberAsksDeps) {
  async function passToLeader(
    shard: number,
    { name, ask }: { name: string; ask: unknown },
    ended: AbortSignal,
  ): Promise<AskAnswer> {
    const id = crypto.randomUUID();
    const lease = leaseOf(shard);
    const asked = { instance, id, lease, member: self, name, ask: JSON.stringify(ask) };
    try {
      await refresh();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      return { refusal: `${error.message} ${NOTHING}` };
    }
    const holder = leaderOf(view(), shard);
    try {
      if (!(await putAsk(database, asked))) return { refusal: 'Too much is asked of other members at present.' };
    } catch (error) {
      return { refusal: explainRefusal(error) };
    }
    await wakeups.wake();
    return await awaitAnswer({ instance, id }, holder, ended);
  }

  async function awaitAnswer(
    which: { instance: string; id: string },
    holder: string,
    ended: AbortSignal,
  ): Promise<AskAnswer> {
    const until = clock.monotonic() + TAKEN_WITHIN_MS;
    let failure: unknown = null;
    do {
      await clock.sleep(LOOKS_FOR_ANSWER_MS, ended);
      try {
        const answer = await fetchAnswer(database, which);
        if (answer !== null) return JSON.parse(answer) as AskAnswer;
        failure = null;
      } catch (error) {
        failure = error;
      }
    } while (clock.monotonic() < until && !ended.aborted);
    try {
      if (await takeBackAsk(database, which)) {
        const refusal = `${holder} leads, and did not take it up in time: it was not done. Ask again, or ask ${holder}.`;
        return { refusal };
      }
      const late = await fetchAnswer(database, which);
      if (late !== null) return JSON.parse(late) as AskAnswer;
    } catch (error) {
      failure = error;
    }
    const why = failure instanceof DatabaseError ? failure.message : `${holder} took it up and did not answer in time.`;
    return { refusal: `${why} ${UNKNOWN}` };
  }

  return async (shard: number, name: string, ask: unknown): Promise<unknown> => {
    const ended = new AbortController();
    try {
      const passed = passToLeader(shard, { name, ask }, ended.signal);
      const answer = await Promise.race([passed, clock.sleep(GIVES_UP_AFTER_MS, ended.signal).then(() => null)]);
      if (answer === null) throw new ControlRefusal(`The database does not answer. ${UNKNOWN}`);
      if ('refusal' in answer) throw new ControlRefusal(answer.refusal);
      return answer.answer;
    } finally {
      ended.abort();
    }
  };
}

function createAnswerer({ database, name: self, wakeups, log }: MemberAsksDeps) {
  /** Leases with a running request. */
  const underWay = new Set<string>();
  let hasFailed = false;

  async function logFailure(look: () => Promise<unknown>): Promise<void> {
    try {
      await look();
      hasFailed = false;
    } catch (error) {
      // A former leader learns of its end in other ways, too.
      if (!hasFailed && !(error instanceof LeaseLost)) log.warn('Requests of other members cannot be read', { error });
      hasFailed = true;
    }
  }

  async function answerLease(held: HeldHere, performers: Performers): Promise<void> {
    const { name } = held.term;
    if (underWay.has(name)) return;
    underWay.add(name);
    await answerRequests(held, performers).finally(() => underWay.delete(name));
  }

  async function answerRequests({ term, heldLease, daemon }: HeldHere, performers: Performers): Promise<void> {
    if (daemon === null || !heldLease.mayAct()) return;
    const write = createLeaderAccess({ database, term, lost: heldLease.lose });
    for (const asked of await takeAsks(write, LARGEST_ASK)) {
      // A request that was taken and cannot be performed any more stays unanswered: no other member performs it.
      if (!heldLease.mayAct()) return;
      await answerRequest(asked, { daemon, performers, write });
    }
  }

  async function answerRequest(
    { id, member, name, ask }: TakenAsk,
    { daemon, performers, write }: { daemon: Daemon; performers: Performers; write: AsLeader },
  ): Promise<void> {
    const answer = await perform({ name, ask }, daemon, performers);
    log.info('Answered a request of another member', { member, request: name, isDone: 'answer' in answer });
    try {
      await answerAsk(write, { id, answer: JSON.stringify(answer) });
      await wakeups.wake();
    } catch (error) {
      log.warn('The answer to another member was not saved', { member, request: name, error });
    }
  }

  async function perform(
    { name, ask }: Pick<TakenAsk, 'name' | 'ask'>,
    daemon: Daemon,
    performers: Performers,
  ): Promise<AskAnswer> {
    const performer = performers.get(name);
    if (performer === undefined) return { refusal: `${self} leads, and does not know this: is it an older version?` };
    try {
      return { answer: (await performer(daemon, JSON.parse(ask))) ?? null };
    } catch (error) {
      if (error instanceof ControlRefusal) return { refusal: error.message };
      log.error('A request of another member failed', { request: name, error });
      return { refusal: `${self} leads, and could not do it; its log says why.` };
    }
  }

  return (asked: readonly HeldHere[], performers: Performers): Promise<void> =>
    logFailure(() => Promise.all(asked.map((each) => answerLease(each, performers))));
}

/** A refusal states its reason; a request that may have arrived before the connection broke may still be performed. */
function explainRefusal(error: unknown): string {
  if (!(error instanceof DatabaseError)) throw error;
  return `${error.message} ${error.isUndone ? NOTHING : UNKNOWN}`;
}

/** Name of the leader. Throws `ControlRefusal` without one. */
function leaderOf({ self, leader, shards }: MembersView, shard: number): string {
  const holder = shards === undefined ? leader : (shards.find((one) => one.shard === shard)?.holder ?? null);
  const what = shards === undefined ? '' : ` shard ${shard}`;
  if (holder !== null && holder !== self) return holder;
  throw new ControlRefusal(
    holder === self
      ? `${self} is beginning or ending to lead${what}; ask again in a moment.`
      : `Nobody leads${what} now, so that nothing is changed: ask again in a moment.`,
  );
}
