/** Observations and statements during an outage or planned work. */
import { createPlainTitle } from '../alert/titles.ts';
import type { TransitionRecord } from '../history/record.ts';
import type { Timestamp, WindowDetails } from '../transition/details.ts';
import type { Transition } from '../transition/transition.ts';
import { describeChange } from '../wording/combine.ts';

/** One observation or statement with its time. */
export interface OutageEvidence {
  /** Id of the transition. */
  id: string;
  at: number;
  source: string;
  kind: Transition['kind'];
  /** Sentence for people. */
  headline: string;
  /** Name of the subject; null for the notice itself. */
  name: string | null;
  /** State before and after, if any. */
  from: string | null;
  to: string | null;
  /** The provider's texts at that time, unchanged. */
  words: { at: number | null; state: string | null; text: string }[];
}

/** Texts published with the transition. */
export function listNoticeUpdates({
  transition: { details },
}: Pick<TransitionRecord, 'transition'>): OutageEvidence['words'] {
  if (!('updates' in details)) return [];
  return details.updates.map(({ state, content, created_at: at }) => ({ at: toInstant(at), state, text: content }));
}

/** Times in the headline use this zone. `customer`: display name of an account in a report on several. */
export function toEvidence(
  record: TransitionRecord,
  timezone: string,
  customer: (source: string) => string | null,
): OutageEvidence {
  const { id, at, source, kind, from, to, details } = record.transition;
  const headline = headlineOf(record, timezone, customer);
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

/** A row of another version may lack details for a sentence; it then names only the subject. */
function headlineOf(record: TransitionRecord, timezone: string, customer: (source: string) => string | null): string {
  const { transition } = record;
  try {
    return describeChange(record, { timezone, now: transition.at, names: () => null, customer }).headline;
  } catch {
    return createPlainTitle(transition);
  }
}

function stateText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value !== 'object') return String(value);
  const { begins_at: begins, ends_at: ends } = value as Partial<WindowDetails>;
  return `${begins ?? '…'} – ${ends ?? '…'}`;
}

/** Epoch milliseconds; null if the text is no time. */
export function toInstant(text: Timestamp | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
