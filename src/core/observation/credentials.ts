/**
 * Whether the source lets us in, collection by collection. A refusal is an event of its own, told at once: it will not
 * mend itself, and what it hides is not unreachable as well. What is not refused is watched as ever.
 */
import type { DraftOf } from '../transition/draft.ts';
import { timestamp, type SourceDetails } from '../transition/details.ts';
import type { Health } from './health.ts';
import { isRefusal, type Parts } from './listing.ts';

/** Null while nothing is refused. */
export type Refused = {
  since: number;
  why: string;
  /** The collections it was told of; null for the whole source, absent in documents of before they were told apart. */
  parts?: readonly string[] | null;
} | null;

/** What of a source cannot be read and why, a sentence each: a part is named where the others can be. */
export function unreadOf({ refused, health }: { refused?: Refused; health: Pick<Health, 'blind'> }): string[] {
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
export function refuses(refused: Refused | undefined, part: string): boolean {
  return refused !== null && refused !== undefined && (refused.parts ?? null)?.includes(part) !== false;
}

/** It is told again where it spreads to another collection. They are accepted again once nothing is refused and something was read. */
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
    since: timestamp(since),
    reasons: [],
    ...(keyless && { keyless }),
    ...more,
  });
  if (first !== undefined && refusals.some(({ part }) => !refuses(before, part))) {
    const told = [...new Set([...(before?.parts ?? []), ...refusals.map(({ part }) => part)])];
    const isWhole = whole.every((part) => told.includes(part));
    const refused = { since: before?.since ?? now, why: first.why, parts: isWhole ? null : told };
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
