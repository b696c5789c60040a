/** The story of an alert as JSON: what `alert show --json` prints and the page's interface answers. Its names are a promise. */
import type { HoldReason } from '../alert/decision.ts';
import { timestamp, type Timestamp } from '../transition/details.ts';
import type { OfVendor } from '../transition/transition.ts';
import type { Severity } from '../transition/kind.ts';
import type { Story } from './story.ts';

export interface StoryReport {
  id: string;
  number: number;
  status: 'open' | 'resolved';
  severity: Severity;
  title: string;
  state: string | null;
  started_at: Timestamp | null;
  resolved_at: Timestamp | null;
  /** Why a loss is blamed on what it is blamed on, in a sentence; absent where nothing is blamed. */
  why?: string;
  sources: string[];
  also: number[];
  affected: string[];
  url: string | null;
  acknowledged: { by: string; comment: string; at: Timestamp | null } | null;
  /** Why people have not been told of it, or not of its latest; null where they have. */
  not_told: HoldReason | null;
  told: { receiver: string; type: string; last_at: Timestamp | null; reminders: number; waiting: number }[];
  untold: { receiver: string; why: HoldReason }[];
  /** Ids of the silences that mute a part of it, or did while it was open. */
  silences: string[];
  /** The provider's, and those of other vendors' pages, oldest first. */
  words: (OfVendor & { source: string; at: Timestamp | null; state: string | null; text: string })[];
}

/** Times are ISO 8601 in UTC. Everything is there always but `why`. */
export function reportStory(story: Story): StoryReport {
  const { id, number, status, severity, title, state, startedAt, endedAt, why, sources, also, affected, url } = story;
  const { acknowledged, notTold, told, untold, silences, words } = story;
  return {
    id,
    number,
    status,
    severity,
    title,
    state,
    started_at: timestamp(startedAt),
    resolved_at: timestamp(endedAt),
    ...(why !== null && { why }),
    sources: [...sources],
    also: [...also],
    affected,
    url,
    acknowledged: acknowledged === null ? null : { ...acknowledged, at: timestamp(acknowledged.at) },
    not_told: notTold,
    told: told.map(({ receiver, type, at, reminders, waiting }) => ({
      receiver,
      type,
      last_at: timestamp(at),
      reminders,
      waiting,
    })),
    untold: untold.map((one) => ({ ...one })),
    silences: silences.map((silence) => silence.id),
    words: words.map(({ at, ...said }) => ({ ...said, at: timestamp(at) })),
  };
}
