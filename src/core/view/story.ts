/**
 * The whole story of one alert, as far as it is remembered: what is so now, the provider's words as they were at each
 * time, one's own losses, who has been told and who has not, and who has it in hand. The page, `alert show` and the
 * interface for programs print it. Times are epoch milliseconds; the provider's text is as it came.
 */
import type { Acknowledgement, Alert } from '../alert/alert.ts';
import type { HoldReason } from '../alert/decision.ts';
import type { Whole } from '../alert/whole.ts';
import type { Severity } from '../transition/kind.ts';
import type { OpenAlert, ReceiverView, SaidByProvider, SilenceView } from './picture.ts';

export interface Story extends Pick<
  OpenAlert,
  'id' | 'number' | 'also' | 'title' | 'why' | 'startedAt' | 'affected' | 'url'
> {
  severity: Severity;
  status: 'open' | 'resolved';
  /** When the last part of it ended; null while it is open. */
  endedAt: number | null;
  /** Where it stands, or how it ended. */
  state: string | null;
  /** Why people have not been told of it, or not of its latest; null where they have, and once it is over. */
  notTold: HoldReason | null;
  acknowledged: Acknowledgement | null;
  /** All that took part in it, that of the title first. */
  sources: readonly string[];
  /** The provider's, oldest first. */
  words: SaidByProvider[];
  /** By whom it was heard, in the order of the configuration. */
  told: ToldView[];
  /** Who has not heard of it, and why. */
  untold: { receiver: string; why: HoldReason }[];
  /** Those that mute a part of it, or did while it was open. */
  silences: SilenceView[];
}

export interface ToldView {
  receiver: string;
  type: string;
  /** When it was last told or reminded. */
  at: number;
  reminders: number;
  /** Messages about it that have not arrived there yet. */
  waiting: number;
}

/** What of the picture's facts a story is made of. */
export interface StoryFacts {
  whole: Whole;
  /** As the picture shows it; null once it is over. */
  open: OpenAlert | null;
  shown: Pick<OpenAlert, 'state' | 'affected' | 'url'>;
  why: string | null;
  said: SaidByProvider[];
  receivers: readonly (Pick<ReceiverView, 'name' | 'type' | 'isRemoved'> & {
    waiting: readonly { alert: { id: string } }[];
  })[];
  silences: readonly SilenceView[];
}

/** Whoever was not told is there with the reason, but for receivers that are no longer configured. */
export function storyOf({ whole, open, shown, why, said, receivers, silences }: StoryFacts): Story {
  const { id, number, also, title, severity, status, startedAt, resolvedAt, all, acknowledged } = whole;
  const last = lastTold(all);
  const notTold = open?.notTold ?? null;
  const here = receivers.filter(({ isRemoved }) => !isRemoved);
  return {
    id,
    number,
    also,
    title: open?.title ?? title,
    severity,
    status,
    startedAt,
    endedAt: resolvedAt,
    why,
    ...shown,
    notTold,
    acknowledged: acknowledged ?? null,
    sources: [...new Set([...whole.sources, ...all.map(({ source }) => source)])],
    words: said,
    told: receivers.flatMap(({ name, type, waiting }) => {
      const told = last.get(name);
      return told === undefined
        ? []
        : [{ receiver: name, type, ...told, waiting: waiting.filter(({ alert }) => alert.id === id).length }];
    }),
    untold: here.flatMap(({ name }) =>
      last.has(name)
        ? []
        : [{ receiver: name, why: notTold === null || notTold === 'acknowledged' ? 'no route' : notTold }],
    ),
    silences: [...silences],
  };
}

/** By receiver, of all parts together. */
export function lastTold(parts: readonly Alert[]): Map<string, Pick<ToldView, 'at' | 'reminders'>> {
  const last = new Map<string, Pick<ToldView, 'at' | 'reminders'>>();
  for (const { receiver, at, reminders } of parts.flatMap(({ told }) => told)) {
    const known = last.get(receiver);
    last.set(receiver, {
      at: Math.max(at, known?.at ?? 0),
      reminders: Math.max(reminders, known?.reminders ?? 0),
    });
  }
  return last;
}
