/**
 * How well the source can be read, and whether it lets us in.
 *
 * Each part (notices, page, components) is blind from the first sweep that lacked it. When one has been blind for the
 * threshold the source is unreachable, told once, and it has recovered when a sweep lacks nothing.
 *
 * A refusal is an event of its own, told at once: it will not mend itself, and what it hides is not unreachable as well.
 * What is not refused is watched as ever.
 */
import { toTimestamp, type Lack, type SourceDetails } from '../transition/details.ts';
import { findMinimum } from '../transition/collections.ts';
import type { DraftOf } from '../transition/transition.ts';
import { isRefusal, isToldApart, type Parts } from './listing.ts';

export interface BlindPart {
  ms: number;
  since: number;
  why: string;
  /** Of the kind of failure, as in `Miss`; absent in documents of before it was kept. */
  code?: string;
  /** Access to it is refused, or another page answers, which is told by itself. */
  refused?: true;
}

export interface Health {
  /** Accumulated milliseconds without a full reading, by part; absent when it was read. */
  blind: Record<string, BlindPart>;
  unreachable: boolean;
}

/** Whether the last sweep lacked anything. */
export function isBlind({ blind }: Health): boolean {
  return Object.keys(blind).length > 0;
}

export interface HealthSettings {
  baseUrl: string;
  unreachableAfterMs: number;
  /** It is an account; else a status page. */
  account?: true;
  /** What stands behind the same origin has just been found unreachable: whoever is blind is so, too. */
  joins?: boolean;
}

/** `elapsedMs` is the monotonic time since the sweep before: a jumping clock moves no threshold. */
export function judgeHealth(
  before: Health,
  parts: Parts,
  settings: HealthSettings,
  now: number,
  elapsedMs: number,
): { health: Health; drafts: (DraftOf<'source.unreachable'> | DraftOf<'source.recovered'>)[] } {
  const blind: Health['blind'] = {};
  for (const [part, miss] of Object.entries(parts)) {
    if (miss === null) continue;
    const refused = isToldApart(miss);
    const earlier = before.blind[part];
    // What is refused is told as such: that time says nothing of how well it can be reached.
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

/** Sources behind one dead origin reach their thresholds at different times; people are to hear of them at once. */
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

/** One where every part fails alike, else one for each part. */
function lacksOf(blind: Health['blind'], parts: readonly string[]): Lack[] {
  const failing = Object.entries(blind).map(([part, { why, code = null }]): Lack => ({ part, code, why }));
  const [first] = failing;
  const isAlike = first !== undefined && failing.every(({ why }) => why === first.why);
  return isAlike && failing.length === parts.length ? [{ ...first, part: null }] : failing;
}

/** How the other sources behind the same origin fare. */
export interface OriginView {
  /** How many of the others cannot be read. */
  down: number;
  /** One of them was found so just now: what is blind as well is part of the same, whatever its own threshold. */
  fell: boolean;
}

/** What programs are told of how a provider departs from its specification, a draft for each text. */
export function draftSchemaChanges(
  texts: readonly string[],
  { baseUrl, account }: Pick<HealthSettings, 'baseUrl' | 'account'>,
): DraftOf<'source.schema'>[] {
  return texts.map((text) => {
    const details = { base_url: baseUrl, since: null, reasons: [text], ...(account === true && { account }) };
    return { subject: 'source', kind: 'source.schema', from: null, to: text, details };
  });
}

/** Null while nothing is refused. */
export type Refused = {
  since: number;
  why: string;
  /** The collections it was told of; null for the whole source, absent in documents of before they were told apart. */
  parts?: readonly string[] | null;
} | null;

/** What of a source cannot be read and why, a sentence each: a part is named where the others can be. */
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
  /** Nothing was shown that could be refused: a status page asks for no credentials. */
  keyless: boolean;
  /** Where all of these are refused, the source is. */
  whole: readonly string[];
}

/** True where it is refused in whole, or this collection of it. */
export function isPartRefused(refused: Refused | undefined, part: string): boolean {
  return refused !== null && refused !== undefined && (refused.parts ?? null)?.includes(part) !== false;
}

/**
 * Each collection is refused by itself, until it is read again. It is told again where it spreads to another one. They
 * are accepted again once nothing is refused and something was read.
 */
export function judgeCredentials(
  before: Refused,
  parts: Parts,
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
    const told = [...new Set([...still, ...refusals.map(({ part }) => part)])];
    const isWhole = whole.every((part) => told.includes(part));
    const since = before === null || still.length === 0 ? now : before.since;
    const refused = { since, why: first.why, parts: isWhole ? null : told };
    if (!isNews) return { refused, drafts: [] };
    const why = isWhole ? first.why : refusals.map(({ part, why: reason }) => `${part}: ${reason}`).join('; ');
    const reasons = isWhole ? [why] : refusals.map(({ why: reason }) => reason);
    const said = details(refused.since, { reasons, ...(!isWhole && { parts: told }) });
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
