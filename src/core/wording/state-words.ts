/** Texts of the provider's states. An unknown state is shown as it is. */
import { toOneLine } from '../text/plain.ts';

interface Phrase {
  /** Standalone: "Cause found". */
  label: string;
  /** At the end of a headline: "has found the cause". With `isSaid` it follows its author. */
  clause: string;
  isSaid?: true;
  /** Suffix after the reader's own loss: "provider: cause found"; default: the label in lower case. */
  news?: string;
}

const NOTICE: ReadonlyMap<string, Phrase> = new Map(
  Object.entries({
    investigating: { label: 'Investigating', clause: 'is investigating', isSaid: true },
    identified: { label: 'Identified', clause: 'has found the cause', isSaid: true, news: 'cause found' },
    recovering: { label: 'Recovering', clause: 'recovering, not over yet', news: 'recovering, not over yet' },
    resolved: { label: 'Resolved', clause: 'says it is resolved', isSaid: true },
    false_alarm: { label: 'False alarm', clause: 'calls it a false alarm', isSaid: true },
    cancelled: { label: 'Cancelled', clause: 'cancelled' },
    scheduled: { label: 'Scheduled', clause: 'scheduled' },
    underway: { label: 'Under way', clause: 'under way' },
    complete: { label: 'Complete', clause: 'complete' },
  }),
);

const COMPONENT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    operational: 'Operational',
    degraded: 'Degraded',
    under_maintenance: 'Under maintenance',
  }),
);

function findPhrase(state: string): Phrase | undefined {
  return NOTICE.get(state);
}

function quoteRaw(state: string): string {
  return `“${toOneLine(state)}”`;
}

/** Label of a notice's state; an unknown one in quotation marks. */
export function formatNoticeState(state: string | null): string {
  if (state === null) return 'No state given';
  return findPhrase(state)?.label ?? quoteRaw(state);
}

/** A notice's state inside a sentence, in quotation marks. */
export function quoteNoticeState(state: string | null): string {
  const known = state === null ? formatNoticeState(state) : findPhrase(state)?.label;
  return known === undefined ? quoteRaw(state ?? '') : `“${known.toLowerCase()}”`;
}

/** `the provider has found the cause`, `under way`; `by` is the owner of the notice. */
export function formatNoticeClause(state: string | null, by: string): string {
  if (state === null) return `${by} gives no state`;
  const known = findPhrase(state);
  if (known === undefined) return `in the state ${quoteRaw(state)}, which we do not know`;
  return known.isSaid === true ? `${by} ${known.clause}` : known.clause;
}

/** Text after a loss of the reader's own phones: `cause found`, `maintenance under way`. */
export function formatNoticeNews(state: string | null, isPlanned: boolean): string {
  const known = state === null ? undefined : findPhrase(state);
  const news = known?.news ?? known?.label.toLowerCase() ?? formatNoticeState(state);
  return isPlanned && known !== undefined ? `maintenance ${news}` : news;
}

/** Label of a component's or the page's state. */
export function formatComponentState(state: string): string {
  return COMPONENT.get(state) ?? quoteRaw(state);
}

/** False for a state outside the specification. */
export function isKnownComponentState(state: string): boolean {
  return COMPONENT.has(state);
}

/** Label of a state, followed by the vendor's own word if that differs. */
export function addVendorWord(label: string, word: string | undefined): string {
  return word === undefined ? label : `${label} (${quoteRaw(word)})`;
}

/** `A → B`, or the only known value. */
export function formatArrow(from: string | null, to: string | null): string {
  if (from === null || from === to) return to ?? 'none';
  return to === null ? from : `${from} → ${to}`;
}
