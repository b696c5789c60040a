/** One month in each format, word for word; and what comes from outside stays text in all of them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TransitionRecord } from '../../../src/core/history/record.ts';
import { formatHistoryCsv, formatReportCsv } from '../../../src/core/report/csv.ts';
import { renderHtml } from '../../../src/core/report/html-report.ts';
import { toJsonReport } from '../../../src/core/report/json.ts';
import { listDays, formatExactly, addMonth, subtractMonth, toMonth, toSpan } from '../../../src/core/report/month.ts';
import { makeReport } from '../../../src/core/report/made-report.ts';
import { readerOfRows, type Rows } from '../../support/rows-reader.ts';
import { formatTextReport } from '../../../src/core/report/text-report.ts';
import { reportedReplay } from '../../support/reported-replay.ts';

const GOLDEN = join(import.meta.dirname, '../../golden/report');
const HOUR = 3_600_000;
const MELBOURNE = 'Australia/Melbourne';

describe('a month of a recording', () => {
  it.each([
    ['r09_maintenance_extended_twice_with_incident_inside', 'maintenance'],
    ['r03_reopened_recovering_to_investigating', 'outage'],
  ])('%s is told as text, HTML, CSV and JSON', { timeout: 60_000 }, async (name, file) => {
    const { report } = await reportedReplay(name, 60_000, MELBOURNE);
    await expect(`${formatTextReport(report)}\n`).toMatchFileSnapshot(join(GOLDEN, `${file}.txt`));
    await expect(renderHtml(report)).toMatchFileSnapshot(join(GOLDEN, `${file}.html`));
    await expect(formatReportCsv(report)).toMatchFileSnapshot(join(GOLDEN, `${file}.csv`));
    expect(JSON.parse(JSON.stringify(toJsonReport(report)))).toMatchObject({ timezone: MELBOURNE, edits: {} });
  });
});

describe('what comes from outside', async () => {
  const hostile = "<script>alert(1)</script>\"=cmd|' /C calc'!A0";
  const span = { since: Date.parse('2026-10-01T00:00:00Z'), until: Date.parse('2026-11-01T00:00:00Z') };
  const at = span.since + HOUR;
  const details = {
    notice: {
      id: '7',
      type: 'unplanned',
      state: 'investigating',
      subject: hostile,
    },
    components: [{ id: '1', name: hostile }],
    updates: [{ state: 'investigating', content: `=HYPERLINK("http://x")\u001b[31m\n${hostile}`, created_at: null }],
  };
  const transition = {
    id: 't1',
    source: 'provider',
    subject: 'notice/7',
    kind: 'notice.opened',
    from: null,
    to: 'investigating',
    at,
    details,
  };
  const alert = { id: 'a1', number: 1, severity: 'critical', title: hostile } as const;
  const edit = { ...transition, id: 't2', kind: 'notice.edited', from: hostile, to: '@SUM(A1)' };
  const rows: Rows = {
    states: [{ source: 'provider', subject: 'component/1', name: hostile, at, state: 'degraded' }],
    readings: [{ source: 'provider', part: 'components', since: at, until: at + HOUR }],
    phones: [{ source: 'hq', site: `-2+${hostile}`, at, total: 3, registered: 1, away: 0, lost: 2 }],
    alerts: [
      {
        ...alert,
        source: 'provider',
        family: 'notice',
        notice: '7',
        status: 'open',
        cause: null,
        startedAt: at,
        openedAt: at,
        resolvedAt: null,
      },
    ],
    transitions: [
      { transition, status: 'open', alert } as unknown as TransitionRecord,
      { transition: edit, status: 'update', alert } as unknown as TransitionRecord,
    ],
    deliveries: [],
  };
  const options = { instance: hostile, timezone: 'UTC', month: '2026-10', span, madeAt: span.until };
  const report = await makeReport(readerOfRows(rows), options);

  it('is text in HTML', () => {
    const page = renderHtml(report);
    expect(page).not.toMatch(/<script/i);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('\u001b');
  });

  it('is no formula in a spreadsheet, and no cell of it breaks out', async () => {
    const changes = await Array.fromAsync(formatHistoryCsv(readerOfRows(rows).transitionPages({})));
    for (const csv of [formatReportCsv(report), changes.join('')]) {
      const cells = [...csv.matchAll(/(?:^\uFEFF|,|\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
        ([, quoted, bare]) => quoted ?? bare ?? '',
      );
      expect(cells.filter((cell) => /^\s*[=+\-@]/.test(cell))).toEqual([]);
      expect(csv).not.toContain('\u001b');
      expect(csv).toContain('""=cmd');
    }
  });

  it('orders a terminal nothing', () => {
    expect(formatTextReport(report)).not.toContain('\u001b');
  });
});

describe('a month', () => {
  it('begins and ends at midnight of its zone, whatever the clocks do in it', () => {
    const span = toSpan('2026-10', MELBOURNE);
    // The clocks go forward on the 4th: one hour less.
    expect(span).toEqual({ since: Date.parse('2026-09-30T14:00:00Z'), until: Date.parse('2026-10-31T13:00:00Z') });
    expect((span?.until ?? 0) - (span?.since ?? 0)).toBe(31 * 24 * HOUR - HOUR);
    const days = listDays(span ?? { since: 0, until: 0 }, MELBOURNE);
    expect(days).toHaveLength(31);
    expect(days.find(({ date }) => date === '2026-10-04')).toMatchObject({ since: Date.parse('2026-10-03T14:00:00Z') });
    expect(days.map(({ since, until }) => (until - since) / HOUR).filter((hours) => hours !== 24)).toEqual([23]);
  });

  it('is known by its name alone', () => {
    expect([toSpan('2026-13', 'UTC'), toSpan('October', 'UTC'), toSpan('2026-1', 'UTC')]).toEqual([null, null, null]);
    expect([subtractMonth('2026-01'), addMonth('2025-12')]).toEqual(['2025-12', '2026-01']);
    expect(toMonth(Date.parse('2026-10-31T13:30:00Z'), MELBOURNE)).toBe('2026-11');
    expect(formatExactly(Date.parse('2026-10-03T16:00:00Z'), MELBOURNE)).toBe('2026-10-04 03:00:00 +11:00');
  });
});

describe('a month that the history has not all of', () => {
  const span = { since: Date.parse('2026-10-01T00:00:00Z'), until: Date.parse('2026-11-01T00:00:00Z') };
  const empty = { states: [], readings: [], phones: [], alerts: [], transitions: [], deliveries: [] };
  const of = { instance: 'hq', timezone: 'UTC', month: '2026-10', madeAt: span.until + HOUR, span };
  const reportSince = (keptSince: number) => makeReport(readerOfRows({ ...empty, keptSince }), of);
  const SAID = 'The history begins Sun 1 Nov 00:30: of what was before it nothing is known.';

  it('is not called one in which nothing happened', async () => {
    const report = await reportSince(span.until + HOUR / 2);
    expect(formatTextReport(report)).toContain(SAID);
    expect(formatTextReport(report)).not.toContain('Nothing.');
    expect(renderHtml(report)).toContain(SAID);
    expect(renderHtml(report)).not.toContain('Nothing.');
    expect(formatReportCsv(report)).toContain('"history",,,,"kept","from","2026-11-01T00:30:00.000Z"');
    expect(toJsonReport(report)).toMatchObject({ history_begins_at: '2026-11-01T00:30:00.000Z' });
  });

  it('says from when on it is known, and of a whole month nothing of the kind', async () => {
    const begun = formatTextReport(await reportSince(span.since + HOUR));
    expect(begun).toContain('The history begins Thu 1 Oct 01:00');
    expect(begun).toContain('Nothing since the history begins.');
    expect(begun).not.toContain('Nothing.');
    expect(formatTextReport(await reportSince(span.since - HOUR))).not.toContain('The history begins');
  });
});
