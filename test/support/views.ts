/** Sources and alerts as a status shows them, for tests of their wording. */
import { NO_FACTS } from '../../src/core/view/story/facts-report.ts';
import type { Because } from '../../src/core/alert/alert.ts';
import type {
  AccountView,
  OpenAlert,
  PageView,
  PartView,
  SystemStatus,
  SourceView,
} from '../../src/core/view/system-status.ts';

export const VIEWED_AT = Date.parse('2026-03-24T04:17:00.000Z');
const MINUTE = 60_000;

const READ = { lastReadAt: VIEWED_AT - 5_000, unreadMs: 5_000, unsweptMs: 5_000, unreadAfterMs: 180_000 };
const BASE = { ...READ, unreachable: false, baseUrl: '', isWell: true, url: null, blind: [], facts: [], troubled: [] };

export function pageView(name: string, given: Partial<SourceView & PageView> = {}): SourceView & PageView {
  return {
    ...BASE,
    name,
    called: name,
    title: name,
    state: 'Operational',
    type: 'status page',
    page: { name, state: 'operational' },
    components: { total: 0, notOperational: [], all: [] },
    notices: [],
    ...given,
  };
}

/** `lost` of its phones are offline. */
export function accountView(
  called: string,
  total: number,
  lost = 0,
  given: Partial<SourceView & AccountView> = {},
): SourceView & AccountView {
  const missing = Array.from({ length: lost }, (_, index) => {
    return { extension: String(1001 + index), name: null, since: VIEWED_AT - 10 * MINUTE, isLost: true };
  });
  const registered = total - lost;
  return {
    ...BASE,
    name: called.toLowerCase().replaceAll(/\W+/g, '-'),
    called,
    title: null,
    state: 'registered',
    isWell: lost === 0,
    type: 'account',
    unread: [],
    phones: { registered, total, missing, sites: [{ site: 'Office', isNamed: true, registered, total, missing }] },
    toggles: null,
    schedule: { on_schedule: 0, late: 0, off_schedule: 0, missing: 0 },
    ...given,
  };
}

export interface LossOf {
  account: SourceView & AccountView;
  /** Default: all that the account lost. */
  offline?: number;
  because?: Because | null;
  minutesAgo?: number;
}

/** A part that costs an account phones. */
export function lossPart({ account, offline, because = null, minutesAgo = 10 }: LossOf): PartView {
  const { name, phones } = account;
  const total = phones?.total ?? 0;
  const lost = offline ?? total - (phones?.registered ?? 0);
  const sites = [{ site: 'Office', offline: lost, total }];
  return {
    ...partView(name),
    phones: { offline: lost, total, since: VIEWED_AT - minutesAgo * MINUTE, sites, because },
  };
}

export function partView(source: string): PartView {
  return { source, affected: [], narrower: null, silencedBy: null };
}

export function alertView(
  number: number,
  parts: OpenAlert['parts'],
  given: Partial<OpenAlert> & { minutesAgo?: number } = {},
): OpenAlert {
  const { minutesAgo = 10, ...more } = given;
  return {
    id: `alert-${number}`,
    number,
    also: [],
    severity: 'critical',
    title: `Trouble ${number}`,
    why: null,
    notTold: null,
    acknowledged: null,
    startedAt: VIEWED_AT - minutesAgo * MINUTE,
    isToCome: false,
    state: null,
    affected: [],
    words: null,
    facts: NO_FACTS,
    said: [],
    notified: [],
    url: null,
    sources: [...new Set(parts.map(({ source }) => source))],
    parts,
    ...more,
  };
}

export function statusView(sources: SourceView[], open: OpenAlert[], given: Partial<SystemStatus> = {}): SystemStatus {
  return {
    instance: 'hq',
    timezone: 'UTC',
    now: VIEWED_AT,
    startedAt: 0,
    sources,
    open,
    maintenance: [],
    ended: [],
    receivers: [],
    silences: [],
    endedSilences: [],
    unsaved: [],
    members: null,
    ...given,
  };
}

/** Reported in alert 4. */
export const INCIDENT = {
  kind: 'explained',
  number: 4,
  title: 'Inbound calls failing',
  minutes_later: null,
} satisfies Because;

export const SITE_LOST = {
  kind: 'named',
  domain: { kind: 'site', name: 'Richmond', address: '192.0.2.1' },
  why: { down: 8, total: 8, elsewhere: { down: 0, total: 8 }, chance: 1e-9 },
} satisfies Because;

/** The words of a page that an alert shows. */
export function saidBy(source: string, state: string): OpenAlert['said'] {
  return [{ source, state, at: VIEWED_AT, text: 'We look.' }];
}
