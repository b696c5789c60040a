/**
 * Facts of an alert, computed from its parts: phase, cause, and what each source contributes. Facts for a reader who may
 * see only some sources are computed from their parts alone.
 */
import { isOpenHere } from '../alert/acknowledgement.ts';
import { NO_HITS } from '../alert/affected.ts';
import type { Alert, Because } from '../alert/alert.ts';
import type { Part } from './other-parts.ts';
import { findMaximum } from '../transition/collections.ts';
import type { NoticeOfAlert, PhoneCounts } from '../alert/shared-alert.ts';

/**
 * `explained`: an open alert of the provider explains the losses. `residual`: that has ended, and phones are still lost.
 * `merged`: it became part of another alert, which reports it from then on.
 */
export const PHASES = ['open', 'explained', 'residual', 'merged', 'resolved'] as const;
export type Phase = (typeof PHASES)[number];

/** Contribution of one source to an alert. */
export interface PartFacts {
  source: string;
  /** Name of the customer whose account it is; null for a page. */
  customer: string | null;
  phase: Phase;
  /** Null where it is about no phones. */
  phones: PhoneCounts | null;
  components: readonly string[];
  toggles: readonly string[];
}

export interface AlertFacts {
  phase: Phase;
  /** Number of the open alert that it became part of; null for none. */
  mergedInto: number | null;
  because: Because | null;
  /** The notice that it follows, or that explains it; null without one. */
  notice: NoticeOfAlert | null;
  /** One for each source. */
  parts: readonly PartFacts[];
  /** Number of sources that take part in it and are left out. */
  more: number;
}

/** Fields of a part that determine its phase. */
type PartStatus = Pick<Alert, 'status' | 'family'> & Partial<Pick<Part, 'absorbedBy' | 'residual' | 'explainedBy'>>;

function phaseOfPart({ status, absorbedBy, residual, explainedBy = null }: PartStatus): Phase {
  if (absorbedBy !== undefined) return 'merged';
  if (status === 'resolved') return 'resolved';
  if (residual === true) return 'residual';
  return explainedBy === null ? 'open' : 'explained';
}

/** The first of these that a part has is the phase of the alert: one unexplained loss makes it unexplained. */
const PRECEDENCE: readonly Phase[] = ['open', 'explained', 'residual', 'resolved', 'merged'];

/** Phase of the whole alert. Open losses decide before the parts that explain them. */
export function computePhase(parts: readonly PartStatus[]): Phase {
  const going = parts.filter(isOpenHere);
  const losses = going.filter(({ family }) => family === 'phones');
  const phases = new Set((losses.length > 0 ? losses : going.length > 0 ? going : parts).map(phaseOfPart));
  return PRECEDENCE.find((phase) => phases.has(phase)) ?? 'resolved';
}

/** Facts that the parts do not contain. */
export interface AlertContext {
  /** Other alerts of the same sources; one of them may have taken over these losses. */
  beside: readonly Part[];
  notice: NoticeOfAlert | null;
  customerOf(source: string): string | null;
  /** Number of sources that are left out; default: 0. */
  more?: number;
}

export function collectAlertFacts(
  parts: readonly Part[],
  { beside, notice, customerOf, more = 0 }: AlertContext,
): AlertFacts {
  const phase = computePhase(parts);
  const open = parts.filter(isOpenHere);
  return {
    phase,
    mergedInto: phase === 'merged' ? mergedInto(parts, beside) : null,
    because: open.find(({ because }) => because !== undefined)?.because ?? null,
    notice,
    more,
    parts: [...Map.groupBy(parts, ({ source }) => source)].map(([source, own]) => ({
      source,
      customer: customerOf(source),
      phase: computePhase(own),
      phones: phonesOf(own),
      components: [...new Set(own.flatMap(componentsOf))],
      toggles: [...new Set(own.flatMap(togglesOf))],
    })),
  };
}

function mergedInto(parts: readonly Part[], beside: readonly Part[]): number | null {
  const into = beside.find(({ source, group, absorbedBy, status }) =>
    parts.some(
      (part) => part.source === source && part.absorbedBy === group && absorbedBy === undefined && status === 'open',
    ),
  );
  return into?.number ?? null;
}

/** Sums over the parts of one source, which have no phone in common. */
function phonesOf(own: readonly Part[]): PhoneCounts | null {
  const counts = own.flatMap(({ phones }) => phones ?? []);
  const [first] = counts;
  if (first === undefined) return null;
  const sum = (of: 'down' | 'most'): number => counts.reduce((all, each) => all + each[of], 0);
  const total = findMaximum(counts.map((each) => each.total));
  return { total, down: Math.min(total, sum('down')), most: Math.min(total, sum('most')), sites: sitesOf(counts) };
}

function sitesOf(counts: readonly PhoneCounts[]): NonNullable<PhoneCounts['sites']> {
  const bySite = Map.groupBy(
    counts.flatMap(({ sites = [] }) => sites),
    ({ site }) => site,
  );
  return [...bySite].map(([site, rows]) => ({
    site,
    total: rows[0]?.total ?? 0,
    offline: rows.reduce((all, { offline }) => all + offline, 0),
  }));
}

/** Names of the affected components. */
function componentsOf({ hits = NO_HITS }: Pick<Alert, 'hits'>): string[] {
  return hits.component.flatMap(([id, name = id]) => name ?? []);
}

/** Names of the affected toggles; for one that is missing the name in the expectation. */
function togglesOf({ family, lastChange }: Pick<Alert, 'family' | 'lastChange'>): string[] {
  const details = lastChange?.transition.details;
  if (family !== 'toggle' || details === undefined || !('expectation' in details)) return [];
  return [details.name ?? details.expectation.toggle];
}
