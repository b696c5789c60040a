/** Silences for display, and the silences that muted an alert in the history. */
import { endOf, isActive, type Silence } from '../alert/silence.ts';
import { addHits, NO_HITS } from '../alert/affected.ts';
import { hasFullMatch, collectFacts, type Facts } from '../alert/matchers.ts';
import type { AlertStory } from '../history/rows.ts';
import type { TransitionRecord } from '../history/record.ts';
import { DAY } from '../text/duration.ts';
import { findMaximum } from '../transition/collections.ts';
import type { PartView, SilenceView } from './system-status.ts';

/** Subjects of an alert, or of a part of it, from this time on. */
interface SilencePhase {
  since: number;
  until: number;
  facts: Facts;
}

export function toSilenceView(silence: Silence, now: number): SilenceView {
  const { id, matchers, from, comment, by } = silence;
  const active = isActive(silence, now);
  return { id, matchers, from, until: endOf(silence), comment, ...(by !== undefined && { by }), active };
}

const SHOWN_FOR_MS = 30 * DAY;
const MOST_ENDED = 10;

/** Latest first. */
export function listEndedSilences(silences: readonly Silence[], now: number): SilenceView[] {
  return silences
    .filter((silence) => endOf(silence) <= now && now - endOf(silence) <= SHOWN_FOR_MS)
    .toSorted((one, other) => endOf(other) - endOf(one))
    .slice(0, MOST_ENDED)
    .map((silence) => toSilenceView(silence, now));
}

/** Compares the alert's subjects at each time; `labelsOf`: values of a source that matchers can refer to. */
export function listPastSilences(
  { alerts, transitions, silences }: AlertStory,
  labelsOf: (source: string) => Readonly<Record<string, string>>,
  now: number,
): SilenceView[] {
  if (silences.length === 0) return [];
  const bySource = Map.groupBy(transitions, ({ transition }) => transition.source);
  const phases = [...bySource].flatMap(([source, records]) => {
    const ends = alerts.flatMap((alert) => (alert.source === source ? [alert.resolvedAt ?? Infinity] : []));
    return phasesOf(records, ends.length === 0 ? Infinity : findMaximum(ends), labelsOf(source));
  });
  return silences
    .filter((silence) => phases.some((phase) => mutes(silence, phase)))
    .map((silence) => toSilenceView(silence, now));
}

function mutes(silence: Silence, { since, until, facts: about }: SilencePhase): boolean {
  return Math.max(silence.from, since) < Math.min(endOf(silence), until) && hasFullMatch(silence.matchers, about);
}

/** Changes of one sweep form one phase. */
function phasesOf(
  records: readonly TransitionRecord[],
  end: number,
  labels: Readonly<Record<string, string>>,
): SilencePhase[] {
  const looks = [...Map.groupBy(records, ({ transition }) => transition.at)];
  let hits = NO_HITS;
  return looks.flatMap(([since, seen], index): SilencePhase[] => {
    for (const { transition } of seen) hits = addHits(hits, transition);
    const { alert, transition } = seen.at(-1) ?? {};
    if (alert === undefined || alert === null || transition === undefined) return [];
    const view = { ...alert, source: transition.source, startedAt: since, resolvedAt: null, cause: null, hits };
    return [{ since, until: Math.min(looks[index + 1]?.[0] ?? end, end), facts: collectFacts(view, seen, labels) }];
  });
}

/** A longer list of phones is better described by a site or an account. */
const MOST_EXTENSIONS = 5;

/** A silence for one phone or for toggles must not mute the loss of all phones. */
export function findNarrowerMatcher({ hits, values }: Facts): PartView['narrower'] {
  const [extension, kind] = [hits.extension.flat(), (values.get('kind') ?? []).flat()];
  if (extension.length > 0 && extension.length <= MOST_EXTENSIONS) return { key: 'extension', values: extension };
  if (kind.length > 0 && kind.every((each) => each.startsWith('toggle.'))) return { key: 'kind', values: ['toggle.*'] };
  return null;
}
