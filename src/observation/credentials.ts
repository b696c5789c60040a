/**
 * Whether the source lets us in. A refusal is an event of its own, told at once: it will not mend itself, and what
 * it hides is not unreachable as well.
 */
import type { DraftOf } from '../transition/draft.ts';
import { timestamp } from '../transition/transition.ts';
import type { Parts } from './health.ts';
import type { Miss } from './listing.ts';

/** Since when it is refused, and why; null while it is not. */
export type Refused = { since: number; why: string } | null;

export interface CredentialsSetting {
  baseUrl: string;
  /** Nothing was shown that could be refused: a status page asks for no credentials. */
  keyless: boolean;
}

/** Access was refused: 401, 403, or a login page in place of an answer. */
export function isRefusal(miss: Miss | null): boolean {
  return miss?.code === 'credentials';
}

/** They are accepted again once nothing is refused and something was read. */
export function judgeCredentials(
  before: Refused,
  parts: Parts,
  { baseUrl, keyless }: CredentialsSetting,
  now: number,
): { refused: Refused; drafts: (DraftOf<'source.credentials'> | DraftOf<'source.accepted'>)[] } {
  const misses = Object.values(parts);
  const why = misses.find(isRefusal)?.why ?? null;
  const details = (since: number, reasons: string[]) => ({
    base_url: baseUrl,
    since: timestamp(since),
    reasons,
    ...(keyless && { keyless }),
  });
  if (why !== null && before === null) {
    return {
      refused: { since: now, why },
      drafts: [{ subject: 'source', kind: 'source.credentials', from: null, to: why, details: details(now, [why]) }],
    };
  }
  if (before !== null && why === null && misses.includes(null)) {
    return {
      refused: null,
      drafts: [
        {
          subject: 'source',
          kind: 'source.accepted',
          from: before.why,
          to: null,
          details: details(before.since, []),
        },
      ],
    };
  }
  return { refused: before, drafts: [] };
}
