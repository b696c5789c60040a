/**
 * The whole story of one alert, as far as it is remembered: what is so now, the provider's words as they were at each
 * time, one's own losses, who has been told and who has not, and who has it in hand. The page, `alert show` and the
 * interface for programs print it. Times are epoch milliseconds; the provider's text is as it came.
 */
import type { Acknowledgement, Alert } from '../../alert/alert.ts';
import { dueTogether, type Held } from '../../alert/decision.ts';
import type { AlertFacts } from '../../alert/alert-facts.ts';
import type { JoinedAlert } from '../../alert/joined-alert.ts';
import type { Severity } from '../../transition/kind.ts';
import type { Message } from '../../outbox/message.ts';
import type { KeptOfReceiver } from '../standing/receiver-standing.ts';
import type { OpenAlert, ReceiverView, SaidByProvider, SilenceView } from '../picture.ts';

export interface Story extends Pick<
  OpenAlert,
  'id' | 'number' | 'also' | 'title' | 'why' | 'startedAt' | 'affected' | 'url'
> {
  severity: Severity;
  status: 'open' | 'resolved';
  /** What it is to programs; null where only the history has it. */
  facts: AlertFacts | null;
  /** When the last part of it ended; null while it is open. */
  endedAt: number | null;
  /** Where it stands, or how it ended. */
  state: string | null;
  /** Why people have not been told of it, or not of its latest; null where they have, and once it is over. */
  notTold: Held | null;
  acknowledged: Acknowledgement | null;
  /** All that took part in it, that of the title first. */
  sources: readonly string[];
  /** What people call those of them that have another name. */
  called: Readonly<Record<string, string>>;
  /** The provider's, oldest first. */
  words: SaidByProvider[];
  /** By whom it was heard, in the order of the configuration. */
  told: ToldView[];
  /** Who has not heard of it, and why. */
  untold: { receiver: string; why: Held; next: NextMessage | null }[];
  /** Those that mute a part of it, or did while it was open. */
  silences: SilenceView[];
}

export interface ToldView {
  receiver: string;
  type: string;
  /** When it was last told or reminded; null where that is not known, as another message waits. */
  at: number | null;
  reminders: number;
  /** Messages about it that have not arrived there yet. */
  waiting: number;
  /** The one that goes there next; null for none. */
  next: NextMessage | null;
}

/** A message that is about to be sent. */
export interface NextMessage {
  /** Epoch milliseconds; one that is due and has not arrived waits for its receiver. */
  dueAt: number;
  headline: string;
}

/** As much of a message as says when it goes out, and what it says. */
export type WaitingMessage = Pick<Message, 'promisedAt' | 'dueAt' | 'first' | 'alert' | 'changes'>;

export interface KnownReceiver extends Pick<ReceiverView, 'name' | 'type' | 'isRemoved'> {
  state: KeptOfReceiver;
  /** What it is yet to get, the oldest first. */
  waiting: readonly WaitingMessage[];
}

/** What of the picture's facts a story is made of. */
export interface StoryFacts {
  whole: JoinedAlert;
  /** As the picture shows it; null once it is over. */
  open: OpenAlert | null;
  shown: Pick<OpenAlert, 'state' | 'affected' | 'url'>;
  facts: AlertFacts;
  why: string | null;
  said: SaidByProvider[];
  receivers: readonly Omit<KnownReceiver, 'state'>[];
  /** What people call a source. */
  calledOf(source: string): string;
  /** What is said in a message, in one line. */
  headlineOf(message: WaitingMessage): string;
  silences: readonly SilenceView[];
}

/** Whoever was not told is there with the reason, but for receivers that are no longer configured. */
export function storyOf({
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
  const reached = reachedBy(whole, receivers);
  const notTold = open?.notTold ?? null;
  const here = receivers.filter(({ isRemoved }) => !isRemoved);
  const about = waitingByAlert(receivers).get(id) ?? new Map<string, readonly WaitingMessage[]>();
  function nextOf(receiver: string): NextMessage | null {
    const mine = about.get(receiver) ?? [];
    const latest = mine.at(-1);
    return latest === undefined ? null : { dueAt: dueTogether(mine), headline: headlineOf(latest) };
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
    told: receivers.flatMap(({ name, type }) => {
      const told = reached.get(name);
      const waiting = about.get(name)?.length ?? 0;
      return told === undefined ? [] : [{ receiver: name, type, ...told, waiting, next: nextOf(name) }];
    }),
    untold: here.flatMap(({ name }) =>
      reached.has(name) ? [] : [{ receiver: name, why: whyUntold(notTold, about.get(name) ?? []), next: nextOf(name) }],
    ),
    silences: [...silences],
  };
}

/** No route leads it to a receiver that nothing waits for, unless it is held back from all of them. */
function whyUntold(notTold: Held | null, waiting: readonly WaitingMessage[]): Held {
  const isForAll = notTold !== null && notTold.reason !== 'acknowledged' && notTold.reason !== 'group wait';
  if (isForAll) return notTold;
  return waiting.length === 0
    ? { reason: 'no route', dueAt: null }
    : { reason: 'group wait', dueAt: dueTogether(waiting) };
}

/** By receiver, when it was last told: what is promised counts as told in an alert, and what waits is not. */
export function reachedBy(
  { id, all }: Pick<JoinedAlert, 'id' | 'all'>,
  receivers: readonly Waits[],
): Map<string, Pick<ToldView, 'at' | 'reminders'>> {
  const waiting = waitingByAlert(receivers).get(id);
  return new Map(
    [...lastTold(all)].flatMap(([receiver, told]): [string, Pick<ToldView, 'at' | 'reminders'>][] => {
      const mine = waiting?.get(receiver) ?? [];
      if (mine.some(({ first }) => first)) return [];
      const isPromised = mine.some(({ promisedAt }) => promisedAt <= told.at);
      return [[receiver, isPromised ? { ...told, at: null } : told]];
    }),
  );
}

type Waits = Pick<StoryFacts['receivers'][number], 'name' | 'waiting'>;
type WaitingByAlert = ReadonlyMap<string, ReadonlyMap<string, readonly WaitingMessage[]>>;

/** Asked for each alert of a picture, of which there may be thousands. */
const grouped = new WeakMap<readonly Waits[], WaitingByAlert>();

function waitingByAlert(receivers: readonly Waits[]): WaitingByAlert {
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

/** Of all parts together. */
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
