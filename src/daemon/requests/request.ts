/**
 * Requests to the running daemon. Each is one row of the table in `control.ts`: its name, question and answer, and
 * whether it changes something. Commands send them over the control socket, the page calls the same rows, and members
 * forward them.
 */
import type { output, ZodType } from 'zod';
import type { Config } from '../../config/config.ts';
import { ControlRefusal } from '../../control/protocol.ts';
import type { MembersView, SystemStatus } from '../../core/view/system-status.ts';
import type { AlertInStatus } from '../../core/view/build-status.ts';
import type { StorySources } from '../../core/view/story/known-story.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { Daemons, DaemonPart } from '../status/daemons.ts';

/** The members as one of them sees them. */
export interface KnownMembers {
  view(): MembersView;
  /** Reads the current state of the other members. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  /** Removes all state of a member. Rejects with `DatabaseError`. */
  forget(name: string): Promise<void>;
}

/** Values that requests read: the same in the member that answers and in the leader. */
export interface PerformContext {
  status(): SystemStatus;
  alert(number: number): AlertInStatus;
  /** Epoch milliseconds. */
  now(): number;
}

export interface RequestContext extends PerformContext {
  daemons: Daemons;
  /** The history of an alert. */
  stories: Pick<StorySources, 'history' | 'failed'>;
  configuration(): Pick<Config, 'file' | 'timezone' | 'database'>;
  /** Resolves when all pending records are in the history. */
  record(): Promise<void>;
  /** Null or absent if the state is in files. */
  members?(): KnownMembers | null;
}

export interface AnswerContext<P> extends RequestContext {
  /** Performs this request where the part is led. Rejects with `ControlRefusal`. */
  performIn(part: DaemonPart): Promise<P>;
}

/** A row of the table. */
export interface RequestRow<N extends string, S extends ZodType, A, P> {
  readonly name: N;
  /** Shape of the question. Another process sends it, as JSON. */
  readonly asks: S;
  /** If true, other members and open pages are notified at once. */
  readonly changes: boolean;
  /** Answers in the member that got the request. Rejects with `ControlRefusal` and a sentence for people. */
  answer(context: AnswerContext<P>, ask: output<S>): Promise<A>;
  /** Performs it on a daemon, in the member that leads its sources; absent if `answer` does everything. */
  perform?(daemon: Daemon, ask: output<S>, context: PerformContext): Promise<P>;
}

/** Returns its argument, with types inferred from its fields. */
export function defineRequest<const N extends string, S extends ZodType, A, P = unknown>(
  row: RequestRow<N, S, A, P>,
): RequestRow<N, S, A, P> {
  return row;
}

/** Answers a question from another process. Rejects with `ControlRefusal` if it is invalid. */
export async function answerRequest<S extends ZodType, A, P>(
  row: RequestRow<string, S, A, P>,
  context: RequestContext,
  question: unknown,
): Promise<A> {
  // Validates first: other members get only valid questions.
  const ask = parseQuestion(row.asks, question);
  async function performIn(part: DaemonPart): Promise<P> {
    if (part.daemon === null) return (await part.pass(row.name, question)) as P;
    const answer = await performParsed(row, part.daemon, ask, context);
    if (row.changes) part.changed?.();
    return answer;
  }

  return await row.answer({ ...context, performIn }, ask);
}

/** Performs the request of another member on a daemon of this process. Rejects with `ControlRefusal` if it cannot. */
export async function performRequest<S extends ZodType, P>(
  row: RequestRow<string, S, unknown, P>,
  daemon: Daemon,
  question: unknown,
  context: PerformContext,
): Promise<P> {
  return await performParsed(row, daemon, parseQuestion(row.asks, question), context);
}

async function performParsed<S extends ZodType, P>(
  row: RequestRow<string, S, unknown, P>,
  daemon: Daemon,
  ask: output<S>,
  context: PerformContext,
): Promise<P> {
  if (row.perform === undefined) throw new Error(`${row.name} is answered by the member that is asked`);
  return await row.perform(daemon, ask, context);
}

/** The answer, or the sentence of its refusal. */
export async function answerOrRefusal<A>(answering: Promise<A>): Promise<A | string> {
  try {
    return await answering;
  } catch (error) {
    if (error instanceof ControlRefusal) return error.message;
    throw error;
  }
}

function parseQuestion<S extends ZodType>(shape: S, question: unknown): output<S> {
  const parsed = shape.safeParse(question);
  if (parsed.success) return parsed.data;
  throw new ControlRefusal(
    `The request cannot be read: ${parsed.error.issues.map(({ message }) => message).join('; ')}.`,
  );
}
