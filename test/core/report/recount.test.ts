/**
 * The report against a count of its own: from what each look at the recording and at the phones showed, look by look, without
 * a function of the report. With month's ends, gaps, unanswered looks, hold-offs, an outage that goes on, and pruning.
 */
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeReport } from '../../../src/core/report/made-report.ts';
import type { Report } from '../../../src/core/report/monthly-report.ts';
import { TOWN } from '../../support/paper-accounts.ts';
import { playReport, type Look, type Played, type ShownStep } from '../../support/played-report.ts';
import { REPLAYS } from '../../support/reported-replay.ts';
import { cases } from '../../support/runs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A source that was read so lately stands as it stood. */
const STILL_MS = 5 * MINUTE;
const HOLD_OFF_MS = 5 * MINUTE;
const TIMEZONE = 'Australia/Melbourne';
const SITES: Readonly<Record<string, string>> = {
  '203.0.113.7': 'Richmond',
  '203.0.113.8': 'Carlton',
  '198.51.100.3': 'Geelong',
};

const names = readdirSync(REPLAYS).map((file) => file.replace('.json', ''));

interface Span {
  since: number;
  until: number;
}

/** From one answered look to the next, where nothing lay between: how it stood in that time. */
interface Known<T> extends Span {
  shown: T;
}

function knownOf<T>(looks: readonly Look<T>[], { intervalMs, prunedBefore, end }: Played, goesOn: boolean): Known<T>[] {
  return looks.flatMap(({ at, shown }, index) => {
    const next = looks[index + 1];
    if (shown === null) return [];
    const isLast = next === undefined;
    if (isLast && !(goesOn && end - at < STILL_MS)) return [];
    if (!isLast && (next.shown === null || next.at - at > 2 * intervalMs + 30_000)) return [];
    const since = Math.max(at, prunedBefore ?? 0);
    const until = isLast ? end : next.at;
    return until > since ? [{ since, until, shown }] : [];
  });
}

function cut(one: Span, span: Span): number {
  return Math.max(0, Math.min(one.until, span.until) - Math.max(one.since, span.since));
}

/** Phones that were gone at two answered looks and for as long as the hold-off: lost from the first look without them. */
function lossesOf(looks: readonly Look<ReadonlySet<string>>[], extension: string): Span[] {
  const losses: Span[] = [];
  let [since, isLost]: [number | null, boolean] = [null, false];
  for (const { at, shown } of looks) {
    if (shown === null) continue;
    if (shown.has(extension)) {
      isLost ||= since !== null && at - since >= HOLD_OFF_MS;
      since ??= at;
      continue;
    }
    if (since !== null && isLost) losses.push({ since, until: at });
    [since, isLost] = [null, false];
  }
  if (since !== null && isLost) losses.push({ since, until: Infinity });
  return losses;
}

interface SiteCount {
  lostMs: number;
  phonesMs: number;
}

function countSites(played: Played, span: Span): Map<string, SiteCount> {
  const counts = new Map<string, SiteCount>();
  for (const { account, extension, address } of TOWN) {
    const looks = played.phones.get(account) ?? [];
    const known = knownOf(looks, played, true);
    const key = `${account} ${SITES[address] ?? ''}`;
    const count = counts.get(key) ?? { lostMs: 0, phonesMs: 0 };
    counts.set(key, count);
    for (const one of known) count.phonesMs += cut(one, span);
    for (const loss of lossesOf(looks, extension)) {
      for (const one of known) {
        count.lostMs += cut({ since: Math.max(one.since, loss.since), until: Math.min(one.until, loss.until) }, span);
      }
    }
  }
  return counts;
}

/** Milliseconds by component and state. */
function countComponents(played: Played, span: Span): Map<string, number> {
  const sums = new Map<string, number>();
  for (const one of knownOf(played.page, played, false)) {
    for (const { id, state } of one.shown.components) {
      const key = `component/${id} ${state}`;
      sums.set(key, (sums.get(key) ?? 0) + cut(one, span));
    }
  }
  return sums;
}

interface OutageCount {
  ms: number;
  unreadMs: number;
  notWatchedBefore: number | null;
}

/** Notices that announce no work and were seen open: how long each of them was in the span, and how long nobody looked. */
function countOutages(played: Played, span: Span): Map<string, OutageCount> {
  const { page, prunedBefore } = played;
  const last = new Map(
    page.flatMap(({ shown }) => (shown?.notices ?? []).map((notice) => [notice.id, notice] as const)),
  );
  const isOpen = ({ state, ended_at: ended }: ShownStep['notices'][number]): boolean =>
    ended === null && ['investigating', 'identified', 'recovering'].includes(state ?? '');
  const seen = new Set(page.flatMap(({ shown }) => (shown?.notices ?? []).filter(isOpen).map(({ id }) => id)));
  const known = knownOf(page, played, true);
  const counts = new Map<string, OutageCount>();
  for (const { id, type, began_at: began, ended_at: ended } of last.values()) {
    if (type !== 'unplanned' || !seen.has(id) || typeof began !== 'string' || typeof ended !== 'string') continue;
    const whole = { since: Date.parse(began), until: Date.parse(ended) };
    if (whole.since >= span.until || whole.until < Math.max(span.since, prunedBefore ?? 0)) continue;
    const first = played.begin;
    const notWatchedBefore = prunedBefore === null && whole.since < first ? first : null;
    const watched = {
      since: Math.max(whole.since, span.since, notWatchedBefore ?? 0),
      until: Math.min(whole.until, span.until),
    };
    const readMs = known.reduce((sum, one) => sum + cut(one, watched), 0);
    counts.set(String(id), {
      ms: Math.max(0, cut(whole, span)),
      unreadMs: Math.max(0, watched.until - watched.since) - readMs,
      notWatchedBefore,
    });
  }
  return counts;
}

async function reportOn({ ask, end }: Played, span: Span, month: string | null): Promise<Report> {
  return await ask((reader) => makeReport(reader, { instance: 'test', timezone: TIMEZONE, month, span, madeAt: end }));
}

function monthsOf({ begin, end }: Played): (Span & { month: string })[] {
  let first = Temporal.Instant.fromEpochMilliseconds(begin).toZonedDateTimeISO(TIMEZONE).toPlainDate().with({ day: 1 });
  const months = [];
  for (;;) {
    const next = first.add({ months: 1 });
    const [since, until] = [first, next].map((day) => day.toZonedDateTime(TIMEZONE).epochMilliseconds);
    if (since === undefined || until === undefined || since > end) return months;
    months.push({ since, until, month: first.toString().slice(0, 7) });
    first = next;
  }
}

function compare(report: Report, played: Played, span: Span): void {
  const over = { since: span.since, until: Math.min(span.until, played.end) };
  const components = countComponents(played, { since: span.since, until: report.until });
  const words = { up: 'operational', degraded: 'degraded', maintenance: 'under_maintenance' } as const;
  for (const one of report.uptimes.filter(({ subject }) => subject !== 'page')) {
    for (const [state, word] of Object.entries(words) as [keyof typeof words, string][]) {
      expect([one.subject, state, one[state]]).toEqual([
        one.subject,
        state,
        components.get(`${one.subject} ${word}`) ?? 0,
      ]);
    }
  }
  const sites = countSites(played, over);
  for (const { source, site, lostMs, phonesMs, percent } of report.sites) {
    const count = sites.get(`${source} ${site}`);
    expect([source, site, lostMs, phonesMs]).toEqual([source, site, count?.lostMs, count?.phonesMs]);
    expect(percent).toBe(phonesMs === 0 ? null : ((phonesMs - lostMs) / phonesMs) * 100);
  }
  const outages = countOutages(played, over);
  const told = report.outages.flatMap(({ notice, withinMs, unreadMs, notWatchedBefore, until }) =>
    notice === null || until === null ? [] : [[notice, { ms: withinMs, unreadMs, notWatchedBefore }] as const],
  );
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(outages));
}

describe.each(
  cases(names, 3).flatMap(
    (name) =>
      [
        [name, false],
        [name, true],
      ] as const,
  ),
)('%s, pruned: %s', (name, isPruned) => {
  let played: Played;

  beforeAll(async () => {
    played = await playReport(name, { isPruned });
  }, 120_000);

  test('its months are what a count of them is', async () => {
    const months = monthsOf(played);
    expect(months.length).toBeGreaterThan(0);
    for (const { month, ...span } of months) compare(await reportOn(played, span, month), played, span);
  });

  test('so is a span that cuts through outages, losses and gaps', async () => {
    const { begin, end } = played;
    const at = (share: number): number => begin + (end - begin) * share;
    for (const [from, to] of [
      [0.15, 0.5],
      [0.3, 0.52],
      [0.53, 1],
      [0, 0.12],
    ] as const) {
      const span = { since: at(from), until: at(to) };
      const report = await reportOn(played, span, null);
      expect(report.month).toBeNull();
      compare(report, played, span);
    }
  });

  test('what was pruned is unknown, and the history begins after it', async () => {
    const span = { since: played.begin - HOUR, until: played.end };
    const report = await reportOn(played, span, null);
    expect(report.historyBeginsAt).toBe(played.prunedBefore ?? played.begin);
    for (const { up, degraded, maintenance, unknown } of report.uptimes) {
      expect(up + degraded + maintenance + unknown).toBe(report.until - report.since);
      expect(unknown).toBeGreaterThanOrEqual((played.prunedBefore ?? played.begin) - span.since);
    }
    // Nothing of this is a count of nothing.
    expect(report.sites.map(({ lostMs }) => lostMs > 0)).toEqual([true, true, true]);
  });
});
