/** The last 24 hours of each source and site as spans of time, and the number of offline phones, step by step. */
import { findMinimum } from '../transition/collections.ts';
import type { LostPhonesRow, ReadingRow, Span, StateRow } from '../history/rows.ts';
import { clipSpans, findGaps, joinSpans } from '../report/uptime.ts';
import type { SystemStatus } from './system-status.ts';
import { isUnknownPart } from './verdict/known.ts';
import { listAccountViews } from './verdict/sums.ts';

/** A span with a problem. `never`: before the first reading. */
export interface TroubleSpan extends Span {
  kind: 'lost' | 'down' | 'work' | 'gap' | 'never';
  /** Most phones offline at once; 0 if it is not a loss. */
  most: number;
}

export interface RecentHours extends Span {
  /** By source, in order of time: its phones, or its page. */
  sources: ReadonlyMap<string, readonly TroubleSpan[]>;
  /** By key of a site that has lost phones, in order of time. */
  sites: ReadonlyMap<string, readonly TroubleSpan[]>;
  /** By account, in order of time: those of its sites that have lost none. */
  unread: ReadonlyMap<string, readonly TroubleSpan[]>;
  /** Over all accounts, from the first loss on. */
  offline: readonly OfflineStep[];
  /** Time of the first reading of phones; null for none. */
  readSince: number | null;
  /** End of the recorded data; later changes are not in it. */
  writtenUntil: number;
}

/** Number of offline phones from then on. `account`: the one whose number changed. */
export interface OfflineStep {
  at: number;
  account: string;
  offline: number;
}

export interface RecentRows {
  losses: readonly LostPhonesRow[];
  states: readonly StateRow[];
  readings: readonly ReadingRow[];
}

/** A shorter gap between readings is not drawn. */
const LEAST_GAP_MS = 10 * 60_000;

export function toSiteKey(source: string, site: string | null): string {
  return `${source}\n${site ?? ''}`;
}

/** Spans of a site, in order of time; null without recorded data of its account. */
export function listSiteSpans(
  { sites, unread }: RecentHours,
  source: string,
  site: string | null,
): readonly TroubleSpan[] | null {
  return sites.get(toSiteKey(source, site)) ?? unread.get(source) ?? null;
}

/** Rows as the history returns them, with the rows that are valid at the start of the span. */
export function computeRecentHours({ losses, states, readings }: RecentRows, span: Span): RecentHours {
  const sources = new Map<string, TroubleSpan[]>();
  const sites = new Map<string, TroubleSpan[]>();
  const unread = new Map<string, TroubleSpan[]>();
  const ofPhones = readings.filter(({ part }) => part === 'registrations');
  const lostBySource = Map.groupBy(losses, ({ source }) => source);
  const offline: OfflineStep[] = [];
  for (const [source, read] of Map.groupBy(ofPhones, (one) => one.source)) {
    const own = unreadIn(span, read);
    unread.set(source, own);
    const rows = lostBySource.get(source) ?? [];
    for (const [site, lost] of Map.groupBy(rows, (row) => row.site)) {
      const steps = lost.map(({ at, lost: count }) => ({ at, offline: count }));
      sites.set(toSiteKey(source, site), inTurn([...lostIn(steps, span), ...own]));
    }
    const steps = stepsOf(rows);
    for (const { at, offline: count } of steps) offline.push({ at, account: source, offline: count });
    sources.set(source, steps.length === 0 ? own : inTurn([...lostIn(steps, span), ...own]));
  }
  const readPages = Map.groupBy(
    readings.filter(({ part }) => part === 'page'),
    ({ source }) => source,
  );
  for (const [source, rows] of Map.groupBy(states, (row) => row.source)) {
    const read = readPages.get(source) ?? [];
    const down = [...Map.groupBy(rows, ({ subject }) => subject).values()].flatMap((own) => downIn(own, span));
    const merged = (['down', 'work'] as const).flatMap((kind) =>
      joinSpans(down.filter((one) => one.kind === kind)).map((one) => ({ ...one, kind, most: 0 })),
    );
    sources.set(source, inTurn([...merged, ...unreadIn(span, read)]));
  }
  return {
    ...span,
    sources,
    sites,
    unread,
    offline: offline.toSorted((a, b) => a.at - b.at),
    readSince: ofPhones.length === 0 ? null : findMinimum(ofPhones.map(({ since }) => since)),
    writtenUntil: readings.reduce((last, { until }) => Math.max(last, until), span.since),
  };
}

function inTurn(stretches: readonly TroubleSpan[]): TroubleSpan[] {
  return stretches.toSorted((a, b) => a.since - b.since);
}

/** All sites of an account together. */
function stepsOf(rows: readonly LostPhonesRow[]): { at: number; offline: number }[] {
  const now = new Map<string, number>();
  const steps: { at: number; offline: number }[] = [];
  let sum = 0;
  for (const { at, site, lost } of rows.toSorted((a, b) => a.at - b.at)) {
    sum += lost - (now.get(site) ?? 0);
    now.set(site, lost);
    if (steps.at(-1)?.at === at) steps.pop();
    steps.push({ at, offline: sum });
  }
  return steps;
}

function lostIn(steps: readonly { at: number; offline: number }[], span: Span): TroubleSpan[] {
  const out: TroubleSpan[] = [];
  for (const [index, { at, offline }] of steps.entries()) {
    const [part] = clipSpans([{ since: at, until: steps[index + 1]?.at ?? span.until }], span);
    if (offline === 0 || part === undefined) continue;
    const last = out.at(-1);
    if (last?.until === part.since) {
      last.until = part.until;
      last.most = Math.max(last.most, offline);
    } else out.push({ kind: 'lost', ...part, most: offline });
  }
  return out;
}

/** Spans of one component, or of the page. */
function downIn(rows: readonly StateRow[], span: Span): TroubleSpan[] {
  return rows.flatMap(({ at, state }, index): TroubleSpan[] => {
    if (state === null || state === 'operational') return [];
    const [part] = clipSpans([{ since: at, until: rows[index + 1]?.at ?? span.until }], span);
    const kind = state === 'under_maintenance' ? 'work' : 'down';
    return part === undefined ? [] : [{ kind, ...part, most: 0 }];
  });
}

function unreadIn(span: Span, readings: readonly ReadingRow[]): TroubleSpan[] {
  if (readings.length === 0) return [{ kind: 'never', ...span, most: 0 }];
  // The last reading continues: its later part is not recorded yet.
  const until = readings.reduce((last, one) => Math.max(last, one.until), 0);
  return findGaps({ since: span.since, until: Math.max(span.since, Math.min(span.until, until)) }, readings)
    .filter((gap) => gap.until - gap.since >= LEAST_GAP_MS)
    .map((gap): TroubleSpan => ({ kind: gap.since === span.since ? 'never' : 'gap', ...gap, most: 0 }));
}

/** Phones offline from `since` to now, over all accounts: recorded values, followed by the current number. */
export function computeOfflineCurve(
  status: SystemStatus,
  recent: RecentHours | null,
  since: number,
): { at: number; offline: number }[] {
  const { now } = status;
  // A last known state is not the current one.
  const accounts = listAccountViews(status).filter((account) => !isUnknownPart(account, 'registrations'));
  const written = recent?.writtenUntil ?? 0;
  const names = new Set(accounts.map(({ name }) => name));
  const standing = new Map<string, number>();
  let sum = 0;
  const points: { at: number; offline: number }[] = [];
  const put = (at: number): void => {
    const from = Math.max(at, since);
    if (points.at(-1)?.at === from) points.pop();
    points.push({ at: from, offline: sum });
  };
  const begins = Math.max(since, recent?.readSince ?? status.startedAt ?? since);
  for (const { at, account, offline } of recent?.offline ?? []) {
    if (!names.has(account)) continue;
    sum += offline - (standing.get(account) ?? 0);
    standing.set(account, offline);
    if (at > begins) put(at);
    else points.splice(0, points.length, { at: begins, offline: sum });
  }
  if (points.length === 0) points.push({ at: begins, offline: sum });
  const later = accounts
    .flatMap(({ phones }) => phones?.missing ?? [])
    .flatMap(({ isLost, since: lostAt }) => (isLost && lostAt !== null && lostAt > written ? [lostAt] : []))
    .toSorted((a, b) => a - b);
  for (const at of later) {
    sum += 1;
    if (at > begins) put(at);
  }
  const offline = accounts.flatMap(({ phones }) => phones?.missing ?? []).filter(({ isLost }) => isLost).length;
  if (points.at(-1)?.offline !== offline) points.push({ at: now, offline });
  return points;
}
