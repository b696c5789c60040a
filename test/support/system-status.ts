/** Status with states that a test provides: read in full just now, without internal failures. */
import type { AccountState } from '../../src/core/engine/account-kind.ts';
import { createOwnState } from '../../src/core/engine/self-source.ts';
import type { SourceState } from '../../src/core/engine/page-kind.ts';
import type { SystemStatus } from '../../src/core/view/system-status.ts';
import { renderNowPage, type RecentHistory } from '../../src/web/views/now-page.ts';
import { NO_FILTER, type Filter } from '../../src/web/views/customer-filter.ts';
import { buildStatus, type StatusFacts } from '../../src/core/view/build-status.ts';
import type { KnownSource } from '../../src/core/view/standing/source-standings.ts';

/** Page with this status, as a viewer on this machine sees it who may change something. */
export async function pageWith(
  status: SystemStatus,
  filter: Partial<Filter> = {},
  history: RecentHistory = { recent: null, days: null },
): Promise<string> {
  const viewer = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
  return String(await renderNowPage({ status, viewer, refreshSeconds: 60 }, { ...NO_FILTER, ...filter }, history));
}

export interface Stand extends Partial<Omit<StatusFacts, 'sources'>> {
  now: number;
  /** By name, status pages first. */
  sources: Readonly<Record<string, SourceState | AccountState>>;
  sites?: Readonly<Record<string, string>>;
}

export function statusWith(stand: Stand): SystemStatus {
  return buildStatus(factsWith(stand));
}

export function factsWith({ sources, sites = {}, ...given }: Stand): StatusFacts {
  return {
    instance: 'hq',
    timezone: 'UTC',
    startedAt: 0,
    own: createOwnState(),
    receivers: [],
    unsaved: [],
    failed(_source, error) {
      throw error;
    },
    ...given,
    sources: Object.entries(sources).map(([name, state]) => knownSource(name, state, given.now, { sites })),
  };
}

export function knownSource(
  name: string,
  state: SourceState | AccountState,
  lastReadAt: number,
  more: Partial<KnownSource> = {},
): KnownSource {
  return {
    name,
    state,
    lastReadAt,
    unreadMs: 0,
    unreadAfterMs: 60_000,
    loopFailure: null,
    labels: {},
    sites: {},
    ...more,
  };
}
