/**
 * How well the source can be read. Each part (notices, page, components) is blind from the first sweep
 * that lacked it; when one has been blind for the threshold the source is unreachable, told once, and it
 * has recovered when a sweep lacks nothing.
 */
import type { DraftOf } from '../transition/draft.ts';
import { isRefusal, type Parts } from './listing.ts';
import { timestamp, type Lack, type SourceDetails } from '../transition/details.ts';
import { least } from '../transition/long-lists.ts';

export interface BlindPart {
  ms: number;
  since: number;
  why: string;
  /** Of the kind of failure, as in `Miss`; absent in documents of before it was kept. */
  code?: string;
  /** Access to it is refused, which is told by itself. */
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
    const refused = isRefusal(miss);
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
    since: timestamp(least(Object.values(blind).map(({ since }) => since))),
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
