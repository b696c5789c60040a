/** The provider's states in words. Unknown ones are shown as they are: what is said is what is known. */
import { toOneLine } from '../text/plain.ts';

interface Phrase {
  /** On its own: "Cause found". */
  label: string;
  /** At the end of a headline, after whoever says it where it says what he does: "has found the cause". */
  clause: string;
  isSaid?: true;
  /** What the provider says, after one's own loss: "provider: cause found"; default the label in small letters. */
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

function phrase(state: string): Phrase | undefined {
  return NOTICE.get(state);
}

function raw(state: string): string {
  return `“${toOneLine(state)}”`;
}

/** Label of a notice's state; an unknown one in quotation marks, an absent one as such. */
export function noticeLabel(state: string | null): string {
  if (state === null) return 'No state given';
  return phrase(state)?.label ?? raw(state);
}

/** A notice's state inside a sentence, in quotation marks. */
export function noticeWord(state: string | null): string {
  const known = state === null ? noticeLabel(state) : phrase(state)?.label;
  return known === undefined ? raw(state ?? '') : `“${known.toLowerCase()}”`;
}

/** `the provider has found the cause`, `under way`; `by` is whose notice it is. */
export function noticeClause(state: string | null, by: string): string {
  if (state === null) return `${by} gives no state`;
  const known = phrase(state);
  if (known === undefined) return `in the state ${raw(state)}, which we do not know`;
  return known.isSaid === true ? `${by} ${known.clause}` : known.clause;
}

/** What is said of it, as an aside to one's own loss. */
export function noticeNews(state: string | null): string {
  const known = state === null ? undefined : phrase(state);
  return known?.news ?? known?.label.toLowerCase() ?? noticeLabel(state);
}

/** Label of a component's or the page's state. */
export function componentLabel(state: string): string {
  return COMPONENT.get(state) ?? raw(state);
}

/** False for a state outside the specification, which is shown as it is. */
export function isKnownComponentState(state: string): boolean {
  return COMPONENT.has(state);
}

/** The label of a state, and in quotation marks what the vendor calls it where that is another word. */
export function withWord(label: string, word: string | undefined): string {
  return word === undefined ? label : `${label} (${raw(word)})`;
}

/** `A → B`, or only what there is to say. */
export function changed(from: string | null, to: string | null): string {
  if (from === null || from === to) return to ?? 'none';
  return to === null ? from : `${from} → ${to}`;
}
