/**
 * Health of a source: is it readable, and is access granted?
 *
 * Each part (notices, page, components) is blind from the first sweep that lacked it. A part blind for the threshold
 * makes the source unreachable, reported once. The first complete sweep is its recovery.
 *
 * Refused access is reported at once as an event of its own, because it does not heal by itself. Refused parts do not
 * count as unreachable; the others are watched as usual.
 */
import { toTimestamp, type Lack, type SourceDetails } from '../transition/details.ts';
import { findMinimum } from '../transition/collections.ts';
import type { DraftOf } from '../transition/transition.ts';
import type { Crowd } from './limits.ts';
import { isRefusal, isToldApart, type DefectMemory, type MissedParts } from './listing.ts';

export interface BlindPart {
  ms: number;
  since: number;
  why: string;
  /** Failure code, as in `Miss`; absent in older documents. */
  code?: string;
  /** Access is refused or another page answers: reported as a separate event. */
  refused?: true;
}

/** Remembered state of a source of any kind. */
export interface SourceMemory {
  /** The summary of the first reading was reported. */
  baselineTold: boolean;
  /** Number of transitions by subject: part of their ids. */
  counters: Readonly<Record<string, number>>;
  defects: DefectMemory[];
  /** Lists that were reported as too long to follow; absent in older documents. */
  crowds?: readonly Crowd[];
  health: Health;
}

export interface Health {
  /** Milliseconds since the last full reading, by part; absent if the last one succeeded. */
  blind: Record<string, BlindPart>;
  unreachable: boolean;
}

/** True if the last sweep lacked anything. */
export function isBlind({ blind }: Health): boolean {
  return Object.keys(blind).length > 0;
}

export interface HealthSettings {
  baseUrl: string;
  unreachableAfterMs: number;
  /** True for an account; absent for a status page. */
  account?: true;
  /** Another source of the same origin has just become unreachable. A blind source then becomes so too. */
  joins?: boolean;
}

/** `elapsedMs` is monotonic time since the last sweep: clock changes move no threshold. */
export function judgeHealth(
  before: Health,
  parts: MissedParts,
  settings: HealthSettings,
  now: number,
  elapsedMs: number,
): { health: Health; drafts: (DraftOf<'source.unreachable'> | DraftOf<'source.recovered'>)[] } {
  const blind: Health['blind'] = {};
  for (const [part, miss] of Object.entries(parts)) {
    if (miss === null) continue;
    const refused = isToldApart(miss);
    const earlier = before.blind[part];
    // Time spent refused does not count towards unreachable.
    const known = earlier !== undefined && (earlier.refused === true) === refused ? earlier : undefined;
    blind[part] = {
      ms: known === undefined || refused ? 0 : known.ms + Math.max(0, elapsedMs),
      since: known?.since ?? now,
      why: miss.why,
      code: miss.code,
      ...(refused && { refused }),
    };
  }
  const tooLong = Object.values(blind).some(
    (part) => part.refused !== true && (settings.joins === true || part.ms >= settings.unreachableAfterMs),
  );
  if (!before.unreachable && tooLong) {
    return { health: { blind, unreachable: true }, drafts: [fall(blind, Object.keys(parts), settings)] };
  }
  if (before.unreachable && Object.keys(blind).length === 0) {
    const said = detailsOf(before.blind, Object.keys(parts), settings);
    const from = said.reasons.join('; ');
    return {
      health: { blind, unreachable: false },
      drafts: [{ subject: 'source', kind: 'source.recovered', from, to: null, details: said }],
    };
  }
  return { health: { blind, unreachable: before.unreachable }, drafts: [] };
}

/** Sources of one dead origin reach their thresholds at different times; they are reported together. */
export function joinOrigin(before: Health, settings: HealthSettings): ReturnType<typeof judgeHealth> {
  const blind = Object.fromEntries(Object.entries(before.blind).filter(([, { refused }]) => refused !== true));
  const parts = Object.keys(blind);
  if (settings.joins !== true || before.unreachable || parts.length === 0) return { health: before, drafts: [] };
  return { health: { ...before, unreachable: true }, drafts: [fall(blind, parts, settings)] };
}

function fall(
  blind: Health['blind'],
  parts: readonly string[],
  settings: HealthSettings,
): DraftOf<'source.unreachable'> {
  const details = detailsOf(blind, parts, settings);
  return { subject: 'source', kind: 'source.unreachable', from: null, to: details.reasons.join('; '), details };
}

function detailsOf(
  blind: Health['blind'],
  parts: readonly string[],
  { baseUrl, account }: Pick<HealthSettings, 'baseUrl' | 'account'>,
): SourceDetails {
  const lacks = lacksOf(blind, parts);
  return {
    base_url: baseUrl,
    ...(account === true && { account }),
    since: toTimestamp(findMinimum(Object.values(blind).map(({ since }) => since))),
    reasons: lacks.map(({ part, why }) => (part === null ? why : `${part}: ${why}`)),
    lacks,
  };
}

/** One entry if all parts fail alike, else one per part. */
function lacksOf(blind: Health['blind'], parts: readonly string[]): Lack[] {
  const failing = Object.entries(blind).map(([part, { why, code = null }]): Lack => ({ part, code, why }));
  const [first] = failing;
  const isAlike = first !== undefined && failing.every(({ why }) => why === first.why);
  return isAlike && failing.length === parts.length ? [{ ...first, part: null }] : failing;
}

/** State of the other sources of the same origin. */
export interface OriginView {
  /** How many of them cannot be read. */
  down: number;
  /** One of them has just become unreachable: blind sources join it before their own threshold. */
  fell: boolean;
}

/** One draft per deviation of the provider from its specification. */
export function draftSchemaChanges(
  texts: readonly string[],
  { baseUrl, account }: Pick<HealthSettings, 'baseUrl' | 'account'>,
): DraftOf<'source.schema'>[] {
  return texts.map((text) => {
    const details = { base_url: baseUrl, since: null, reasons: [text], ...(account === true && { account }) };
    return { subject: 'source', kind: 'source.schema', from: null, to: text, details };
  });
}

/** Null if nothing is refused. */
export type Refused = {
  since: number;
  why: string;
  /** Refused collections; null for the whole source. Absent in documents older than per-collection refusals. */
  parts?: readonly string[] | null;
} | null;

/** One sentence per unreadable part; the part is named if others are readable. */
export function listUnread({ refused, health }: { refused?: Refused; health: Pick<Health, 'blind'> }): string[] {
  const blind = Object.entries(health.blind);
  if (refused === null || refused === undefined) return blind.map(([part, { why }]) => `${part}: ${why}`);
  const parts = refused.parts ?? [];
  const where = parts.length === 0 ? '' : `${parts.join(' and ')}: `;
  const others = blind.filter(([, part]) => part.refused !== true);
  return [`${where}${refused.why}`, ...others.map(([part, { why }]) => `${part}: ${why}`)];
}

export interface CredentialsSetting {
  baseUrl: string;
  /** No credentials were sent that could be refused, as on a status page. */
  keyless: boolean;
  /** If all of these are refused, the source is. */
  whole: readonly string[];
}

/** True if the whole source or this collection is refused. */
export function isPartRefused(refused: Refused | undefined, part: string): boolean {
  return refused !== null && refused !== undefined && (refused.parts ?? null)?.includes(part) !== false;
}

/**
 * Each collection stays refused until it is read again. A refusal that spreads is reported again. Access is restored
 * when nothing is refused and something was read.
 */
export function judgeCredentials(
  before: Refused,
  parts: MissedParts,
  { baseUrl, keyless, whole }: CredentialsSetting,
  now: number,
): { refused: Refused; drafts: (DraftOf<'source.credentials'> | DraftOf<'source.accepted'>)[] } {
  const refusals = Object.entries(parts).flatMap(([part, miss]) =>
    miss !== null && isRefusal(miss) ? [{ part, why: miss.why }] : [],
  );
  const [first] = refusals;
  const details = (since: number, more: Partial<SourceDetails>): SourceDetails => ({
    base_url: baseUrl,
    since: toTimestamp(since),
    reasons: [],
    ...(keyless && { keyless }),
    ...more,
  });
  const known = before === null ? [] : (before.parts ?? whole);
  const still = known.filter((part) => parts[part] !== null);
  const isNews = refusals.some(({ part }) => !isPartRefused(before, part));
  if (first !== undefined && (isNews || still.length < known.length)) {
    const refusedParts = [...new Set([...still, ...refusals.map(({ part }) => part)])];
    const isWhole = whole.every((part) => refusedParts.includes(part));
    const since = before === null || still.length === 0 ? now : before.since;
    const refused = { since, why: first.why, parts: isWhole ? null : refusedParts };
    if (!isNews) return { refused, drafts: [] };
    const why = isWhole ? first.why : refusals.map(({ part, why: reason }) => `${part}: ${reason}`).join('; ');
    const reasons = isWhole ? [why] : refusals.map(({ why: reason }) => reason);
    const said = details(refused.since, { reasons, ...(!isWhole && { parts: refusedParts }) });
    return {
      refused,
      drafts: [{ subject: 'source', kind: 'source.credentials', from: null, to: why, details: said }],
    };
  }
  if (before !== null && first === undefined && Object.values(parts).includes(null)) {
    const said = details(before.since, {});
    return {
      refused: null,
      drafts: [{ subject: 'source', kind: 'source.accepted', from: before.why, to: null, details: said }],
    };
  }
  return { refused: before, drafts: [] };
}
