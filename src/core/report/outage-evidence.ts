/** What was seen or said in the time of an outage or of planned work, for people and for programs. */
import { plainTitle } from '../alert/titles.ts';
import type { TransitionRecord } from '../history/record.ts';
import type { Timestamp, WindowDetails } from '../transition/details.ts';
import type { Transition } from '../transition/transition.ts';
import { tell } from '../wording/combine.ts';

/** What was seen or said, and when. */
export interface OutageEvidence {
  /** Of the transition. */
  id: string;
  at: number;
  source: string;
  kind: Transition['kind'];
  /** What happened, for people. */
  headline: string;
  /** What it is about, as it is called; null for the notice itself. */
  name: string | null;
  /** State before and after, as far as there is one. */
  from: string | null;
  to: string | null;
  /** The provider's words at that time, as they were written. */
  words: { at: number | null; state: string | null; text: string }[];
}

/** What the provider said with it. */
export function listNoticeUpdates({
  transition: { details },
}: Pick<TransitionRecord, 'transition'>): OutageEvidence['words'] {
  if (!('updates' in details)) return [];
  return details.updates.map(({ state, content, created_at: at }) => ({ at: toInstant(at), state, text: content }));
}

/** Times in a headline are of this zone. */
export function toEvidence(record: TransitionRecord, timezone: string): OutageEvidence {
  const { id, at, source, kind, from, to, details } = record.transition;
  const headline = headlineOf(record, timezone);
  const named = 'name' in details ? details.name : null;
  const name = named ?? ('extension' in details ? String(details.extension) : null);
  return {
    id,
    at,
    source,
    kind,
    headline,
    name,
    from: stateText(from),
    to: stateText(to),
    words: listNoticeUpdates(record),
  };
}

/** A row of another version may lack what a sentence is made of: then it says what it is about. */
function headlineOf(record: TransitionRecord, timezone: string): string {
  const { transition } = record;
  try {
    return tell(record, { timezone, now: transition.at, names: () => null, customer: () => null }).headline;
  } catch {
    return plainTitle(transition);
  }
}

function stateText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value !== 'object') return String(value);
  const { begins_at: begins, ends_at: ends } = value as Partial<WindowDetails>;
  return `${begins ?? '…'} – ${ends ?? '…'}`;
}

/** Epoch milliseconds; null for null, and for what is no time. */
export function toInstant(text: Timestamp | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
