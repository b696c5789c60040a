/**
 * The full story of one remembered alert: current state, the provider's texts over time, own losses, notified receivers
 * and others, and acknowledgement. Used by the page, `alert show` and the API. Times are epoch milliseconds; the
 * provider's text is as received.
 */
import type { Acknowledgement, Alert } from '../../alert/alert.ts';
import { computeJointDueTime, type HeldReason } from '../../correlation/notify-decision.ts';
import type { AlertFacts } from '../../correlation/alert-facts.ts';
import type { JoinedAlert } from '../../alert/joined-alert.ts';
import type { Severity } from '../../transition/kind.ts';
import type { Message } from '../../outbox/message.ts';
import type { KeptOfReceiver } from '../standing/receiver-standing.ts';
import type { OpenAlert, ReceiverView, SaidByProvider, SilenceView } from '../system-status.ts';

export interface Story extends Pick<
  OpenAlert,
  'id' | 'number' | 'also' | 'title' | 'why' | 'startedAt' | 'affected' | 'url'
> {
  severity: Severity;
  status: 'open' | 'resolved';
  /** Its facts for programs; null if only the history has it. */
  facts: AlertFacts | null;
  /** End of its last part; null while it is open. */
  endedAt: number | null;
  /** Its current state, or how it ended. */
  state: string | null;
  /** Reason why people were not notified of it, or of its latest change; null if they were, and once it is resolved. */
  notTold: HeldReason | null;
  acknowledged: Acknowledgement | null;
  /** All sources that were in it, that of the title first. */
  sources: readonly string[];
  /** Names for people, of sources that have one. */
  called: Readonly<Record<string, string>>;
  /** The provider's texts, oldest first. */
  words: SaidByProvider[];
  /** Notified receivers, in the order of the configuration. */
  notified: ToldView[];
  /** Receivers that were not notified, with the reason. */
  untold: { receiver: string; why: HeldReason; next: NextMessage | null }[];
  /** Silences that mute a part of it, or did while it was open. */
  silences: SilenceView[];
}

export interface ToldView {
  receiver: string;
  type: string;
  /** Time of the last message or reminder; null if unknown, as another message waits. */
  at: number | null;
  reminders: number;
  /** Number of messages about it that have not arrived yet. */
  waiting: number;
  /** The next message to this receiver; null for none. */
  next: NextMessage | null;
}

/** A message that is about to be sent. */
export interface NextMessage {
  /** Epoch milliseconds; an overdue message waits for its receiver. */
  dueAt: number;
  headline: string;
}

/** Fields of a message for its time and content. */
export type WaitingMessage = Pick<Message, 'promisedAt' | 'dueAt' | 'first' | 'alert' | 'changes'>;

export interface KnownReceiver extends Pick<ReceiverView, 'name' | 'type' | 'isRemoved'> {
  state: KeptOfReceiver;
  /** Messages not yet delivered, oldest first. */
  waiting: readonly WaitingMessage[];
  /** When it is tried again after a failure, in epoch milliseconds; absent where another process sends. */
  nextTryAt?: number | null;
}

/** Facts of the status that a story needs. */
export interface StoryFacts {
  whole: JoinedAlert;
  /** The open alert in the status; null once it is resolved. */
  open: OpenAlert | null;
  shown: Pick<OpenAlert, 'state' | 'affected' | 'url'>;
  facts: AlertFacts;
  why: string | null;
  said: SaidByProvider[];
  receivers: readonly Omit<KnownReceiver, 'state'>[];
  /** Name of a source for people. */
  calledOf(source: string): string;
  /** Content of a message, in one line. */
  headlineOf(message: WaitingMessage): string;
  silences: readonly SilenceView[];
}

/** Lists configured receivers that were not notified, with the reason. */
export function buildStory({
  whole,
  open,
  facts,
  shown,
  why,
  said,
  receivers,
  calledOf,
  headlineOf,
  silences,
}: StoryFacts): Story {
  const { id, number, also, title, severity, status, startedAt, resolvedAt, all, acknowledged } = whole;
  const sources = [...new Set([...whole.sources, ...all.map(({ source }) => source)])];
  const reached = findReachedReceivers(whole, receivers);
  const notTold = open?.notTold ?? null;
  const here = receivers.filter(({ isRemoved }) => !isRemoved);
  const about = waitingByAlert(receivers).get(id) ?? new Map<string, readonly WaitingMessage[]>();
  function nextOf(receiver: string): NextMessage | null {
    const mine = about.get(receiver) ?? [];
    const latest = mine.at(-1);
    return latest === undefined ? null : { dueAt: computeJointDueTime(mine), headline: headlineOf(latest) };
  }
  return {
    id,
    number,
    also,
    title: open?.title ?? title,
    severity,
    status,
    startedAt,
    endedAt: resolvedAt,
    facts,
    why,
    ...shown,
    notTold,
    acknowledged: acknowledged ?? null,
    sources,
    called: Object.fromEntries(
      sources.flatMap((source) => (calledOf(source) === source ? [] : [[source, calledOf(source)]])),
    ),
    words: said,
    notified: receivers.flatMap(({ name, type }) => {
      const last = reached.get(name);
      const waiting = about.get(name)?.length ?? 0;
      return last === undefined ? [] : [{ receiver: name, type, ...last, waiting, next: nextOf(name) }];
    }),
    untold: here.flatMap(({ name }) =>
      reached.has(name) ? [] : [{ receiver: name, why: whyUntold(notTold, about.get(name) ?? []), next: nextOf(name) }],
    ),
    silences: [...silences],
  };
}

/** A receiver without a waiting message has no route to the alert, unless it is held back from all. */
function whyUntold(notTold: HeldReason | null, waiting: readonly WaitingMessage[]): HeldReason {
  const isForAll = notTold !== null && notTold.reason !== 'acknowledged' && notTold.reason !== 'group wait';
  if (isForAll) return notTold;
  return waiting.length === 0
    ? { reason: 'no route', dueAt: null }
    : { reason: 'group wait', dueAt: computeJointDueTime(waiting) };
}

/**
 * Time of the last notification by receiver: an alert records messages when they are enqueued, so waiting ones are
 * excluded.
 */
export function findReachedReceivers(
  { id, all }: Pick<JoinedAlert, 'id' | 'all'>,
  receivers: readonly ReceiverQueue[],
): Map<string, Pick<ToldView, 'at' | 'reminders'>> {
  const waiting = waitingByAlert(receivers).get(id);
  return new Map(
    [...lastTold(all)].flatMap(([receiver, last]): [string, Pick<ToldView, 'at' | 'reminders'>][] => {
      const mine = waiting?.get(receiver) ?? [];
      if (mine.some(({ first }) => first)) return [];
      const isPromised = mine.some(({ promisedAt }) => promisedAt <= last.at);
      return [[receiver, isPromised ? { ...last, at: null } : last]];
    }),
  );
}

type ReceiverQueue = Pick<StoryFacts['receivers'][number], 'name' | 'waiting'>;
type WaitingByAlert = ReadonlyMap<string, ReadonlyMap<string, readonly WaitingMessage[]>>;

/** Memoised, as it is needed for each of up to thousands of alerts. */
const grouped = new WeakMap<readonly ReceiverQueue[], WaitingByAlert>();

function waitingByAlert(receivers: readonly ReceiverQueue[]): WaitingByAlert {
  const known = grouped.get(receivers);
  if (known !== undefined) return known;
  const all = receivers.flatMap(({ name, waiting }) => waiting.map((message) => ({ name, message })));
  const byAlert = new Map(
    [...Map.groupBy(all, ({ message }) => message.alert.id)].map(([id, of]) => {
      const byReceiver = Map.groupBy(of, ({ name }) => name);
      return [id, new Map([...byReceiver].map(([name, some]) => [name, some.map(({ message }) => message)]))] as const;
    }),
  );
  grouped.set(receivers, byAlert);
  return byAlert;
}

/** Over all parts. */
function lastTold(parts: readonly Alert[]): Map<string, { at: number; reminders: number }> {
  const last = new Map<string, { at: number; reminders: number }>();
  for (const { receiver, at, reminders } of parts.flatMap(({ told }) => told)) {
    const known = last.get(receiver);
    last.set(receiver, {
      at: Math.max(at, known?.at ?? 0),
      reminders: Math.max(reminders, known?.reminders ?? 0),
    });
  }
  return last;
}
