/**
 * Requests to the running daemon. Each is one row of the table in `control.ts`: its name, its question, its answer, and
 * whether it changes something. Commands ask over the control socket, the page calls the same rows, and members pass them on.
 */
import type { output, ZodType } from 'zod';
import type { Config } from '../../config/config.ts';
import { ControlRefusal } from '../../control/protocol.ts';
import type { MembersView, Picture } from '../../core/view/picture.ts';
import type { AlertInPicture } from '../../core/view/picture-of.ts';
import type { StorySources } from '../../core/view/story/known-story.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { Daemons, Part } from '../status/daemons.ts';

/** The members as one of them sees them. */
export interface KnownMembers {
  view(): MembersView;
  /** Reads the current state of the other members. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  /** Removes all state of a member. Rejects with `DatabaseError`. */
  forget(name: string): Promise<void>;
}

/** Values that requests read: the same in the member that is asked and in the one that leads. */
export interface PerformContext {
  picture(): Picture;
  alert(number: number): AlertInPicture;
  /** Epoch milliseconds. */
  now(): number;
}

export interface RequestContext extends PerformContext {
  daemons: Daemons;
  /** The history of an alert. */
  history: Pick<StorySources, 'past' | 'failed'>;
  configuration(): Pick<Config, 'file' | 'timezone' | 'database'>;
  /** Resolves when everything that waits to be written to the history is there. */
  record(): Promise<void>;
  /** Null, or absent, where the state is in files. */
  members?(): KnownMembers | null;
}

export interface AnswerContext<P> extends RequestContext {
  /** Performs this request where the part is led. Rejects with `ControlRefusal`. */
  performIn(part: Part): Promise<P>;
}

/** A row of the table. */
export interface RequestRow<N extends string, S extends ZodType, A, P> {
  readonly name: N;
  /** Shape of the question. Another process sends it, as JSON. */
  readonly asks: S;
  /** Other members and the pages that are open hear of it at once. */
  readonly changes: boolean;
  /** Answers in the member that is asked. Rejects with `ControlRefusal`: a sentence for the person who asked. */
  answer(context: AnswerContext<P>, ask: output<S>): Promise<A>;
  /** Performs it on a daemon, in the member that leads its sources; absent where the member that is asked does all. */
  perform?(daemon: Daemon, ask: output<S>, context: PerformContext): Promise<P>;
}

/** Returns the row as it is; its types follow from its parts. */
export function defineRequest<const N extends string, S extends ZodType, A, P = unknown>(
  row: RequestRow<N, S, A, P>,
): RequestRow<N, S, A, P> {
  return row;
}

/** Answers a question that another process sent. Rejects with `ControlRefusal` where it cannot be read. */
export async function answerRequest<S extends ZodType, A, P>(
  row: RequestRow<string, S, A, P>,
  context: RequestContext,
  question: unknown,
): Promise<A> {
  // Nothing invalid reaches another member.
  const ask = parseQuestion(row.asks, question);
  return await row.answer({ ...context, performIn: (part) => performIn(row, part, question, context) }, ask);
}

async function performIn<S extends ZodType, P>(
  row: RequestRow<string, S, unknown, P>,
  part: Part,
  question: unknown,
  context: PerformContext,
): Promise<P> {
  if (part.daemon === null) return (await part.pass(row.name, question)) as P;
  const answer = await performRequest(row, part.daemon, question, context);
  if (row.changes) part.changed?.();
  return answer;
}

/** Performs a request on the daemon of this process. Rejects with `ControlRefusal` where it is not done. */
export async function performRequest<S extends ZodType, P>(
  row: RequestRow<string, S, unknown, P>,
  daemon: Daemon,
  question: unknown,
  context: PerformContext,
): Promise<P> {
  if (row.perform === undefined) throw new Error(`${row.name} is answered by the member that is asked`);
  return await row.perform(daemon, parseQuestion(row.asks, question), context);
}

function parseQuestion<S extends ZodType>(shape: S, question: unknown): output<S> {
  const parsed = shape.safeParse(question);
  if (parsed.success) return parsed.data;
  throw new ControlRefusal(
    `The request cannot be read: ${parsed.error.issues.map(({ message }) => message).join('; ')}.`,
  );
}
