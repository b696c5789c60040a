/** What a report says to people of outages that are not wholly its own or not wholly known, and what it does not show them. */
import { describe, expect, it } from 'vitest';
import { formatReportCsv } from '../../../src/core/report/csv.ts';
import { renderHtml } from '../../../src/core/report/html-report.ts';
import { toJsonReport } from '../../../src/core/report/json.ts';
import { makeReport } from '../../../src/core/report/made-report.ts';
import type { ReportOptions } from '../../../src/core/report/monthly-report.ts';
import { accountSamples } from '../../../src/core/wording/samples/sample-account.ts';
import { formatTextReport } from '../../../src/core/report/text-report.ts';
import type { TransitionRecord } from '../../../src/core/history/record.ts';
import type { AlertRow } from '../../../src/core/history/rows.ts';
import { readerOfRows, type Rows } from '../../support/rows-reader.ts';

const HOUR = 3_600_000;
const at = (time: string): number => Date.parse(time);
const NOVEMBER = { since: at('2026-11-01T00:00Z'), until: at('2026-12-01T00:00Z') };
const READ = { source: 'provider', since: at('2026-10-01T00:00Z'), until: at('2026-12-05T00:00Z') };
const OPTIONS: ReportOptions = {
  instance: 'hq',
  timezone: 'UTC',
  month: '2026-11',
  span: NOVEMBER,
  madeAt: at('2026-12-05T00:00Z'),
};

function outage(startedAt: number, resolvedAt: number | null, more: Partial<AlertRow> = {}): AlertRow {
  return {
    source: 'provider',
    id: 'a'.repeat(64),
    number: 3,
    severity: 'critical',
    title: 'Calls fail',
    family: 'notice',
    notice: '4711',
    status: resolvedAt === null ? 'open' : 'resolved',
    cause: null,
    startedAt,
    openedAt: startedAt,
    resolvedAt,
    ...more,
  };
}

function rowsOf(rows: Partial<Rows>): Rows {
  const readings = [{ ...READ, part: 'notices' }];
  return {
    states: [],
    readings,
    phones: [],
    alerts: [],
    transitions: [],
    deliveries: [],
    keptSince: READ.since,
    ...rows,
  };
}

async function reportOf(rows: Partial<Rows>, options: Partial<ReportOptions> = {}) {
  return await makeReport(readerOfRows(rowsOf(rows)), { ...OPTIONS, ...options });
}

const ALERT = { id: 'a', number: 5, severity: 'info', title: 'Router update' };
const notice = {
  id: '4711',
  type: 'planned',
  state: 'scheduled',
  timeline_state: null,
  subject: 'Router update',
  url: null,
  begins_at: '2026-11-12T00:00:00.000Z',
  ends_at: '2026-11-12T02:00:00.000Z',
  began_at: null,
  ended_at: null,
};
const reminder = {
  transition: {
    id: 'f'.repeat(64),
    source: 'provider',
    subject: 'notice/4711',
    kind: 'maintenance.reminder',
    from: null,
    to: 86_400,
    at: at('2026-11-11T00:00Z'),
    details: { notice, components: [], updates: [], milliseconds: 86_400_000 },
  },
  status: 'info',
  alert: ALERT,
} as unknown as TransitionRecord;

function componentChange(id: string, details: { name: string; path: string[] }): TransitionRecord {
  const { transition } = reminder;
  const subject = `component/${id}`;
  const change = { ...transition, subject, kind: 'component.state', from: 'operational', to: 'degraded', details };
  return { transition: change, status: 'update', alert: ALERT } as unknown as TransitionRecord;
}

describe('an outage', () => {
  it('over a month’s end counts with what lies in the month, which is said', async () => {
    const over = outage(at('2026-10-31T22:00Z'), at('2026-11-01T03:00Z'));
    const report = await reportOf({ alerts: [over] });
    expect(report.outages).toMatchObject([{ since: over.startedAt, until: over.resolvedAt, withinMs: 3 * HOUR }]);
    for (const text of [formatTextReport(report), renderHtml(report).replaceAll(/<[^>]*>/g, '')]) {
      expect(text).toContain('from Sat 31 Oct 22:00, to Sun 1 Nov 03:00 (3 h of 5 h in November)');
      expect(text.toLowerCase()).toContain('began in october');
    }
    expect(formatReportCsv(report)).toContain('"duration_seconds",10800,');
    expect(formatReportCsv(report)).toContain('"whole_duration_seconds",18000,');
    expect(toJsonReport(report)).toMatchObject({
      outages: [
        { since: '2026-10-31T22:00:00.000Z', within: { since: '2026-11-01T00:00:00.000Z' }, within_ms: 3 * HOUR },
      ],
    });
    const october = await reportOf(
      { alerts: [over] },
      { month: '2026-10', span: { since: READ.since, until: NOVEMBER.since } },
    );
    expect(formatTextReport(october)).toContain('(2 h of 5 h in October)');
    expect(formatTextReport(october)).toContain('went on into November');
  });

  it('within the month is not clipped, and nothing of the kind is said', async () => {
    const report = await reportOf({ alerts: [outage(at('2026-11-02T22:00Z'), at('2026-11-03T03:00Z'))] });
    expect(formatTextReport(report)).toContain('from Mon 2 Nov 22:00, to Tue 3 Nov 03:00 (5 h)');
    for (const words of ['began in', 'went on', 'not watched', 'not read for']) {
      expect(formatTextReport(report)).not.toContain(words);
    }
    expect(formatReportCsv(report)).not.toContain('whole_duration');
  });

  it('that is open counts up to now', async () => {
    const madeAt = at('2026-11-10T02:30Z');
    const readings = [{ ...READ, part: 'notices', until: madeAt - 60_000 }];
    const report = await reportOf({ alerts: [outage(at('2026-11-10T02:00Z'), null)], readings }, { madeAt });
    expect(report.outages).toMatchObject([{ until: null, withinMs: HOUR / 2, unreadMs: 0 }]);
    expect(formatTextReport(report)).toContain('it goes on (30 min so far)');
    expect(formatReportCsv(report)).toContain('"duration_seconds",1800,');
  });

  it('that began this minute counts, though not everything was read since', async () => {
    const madeAt = at('2026-11-10T02:30:00Z');
    const readings = [
      { ...READ, part: 'notices', until: madeAt - 1_000 },
      { ...READ, part: 'page', until: madeAt - 59_000 },
    ];
    const report = await reportOf({ alerts: [outage(madeAt - 40_000, madeAt - 10_000)], readings }, { madeAt });
    expect(report.outages).toMatchObject([{ number: 3, withinMs: 30_000 }]);
  });

  it('says when it was not read', async () => {
    const readings = [
      { ...READ, part: 'notices', until: at('2026-11-02T23:00Z') },
      { ...READ, part: 'notices', since: at('2026-11-03T00:20Z') },
    ];
    const report = await reportOf({ alerts: [outage(at('2026-11-02T22:00Z'), at('2026-11-03T03:00Z'))], readings });
    expect(formatTextReport(report)).toContain('not read for 1 h 20 min of it: Mon 2 Nov 23:00 to Tue 3 Nov 00:20');
    expect(renderHtml(report)).toContain('Not read for 1 h 20 min of it');
    expect(toJsonReport(report)).toMatchObject({ outages: [{ unread_ms: 80 * 60_000 }] });
  });

  it('says before when nobody watched it', async () => {
    const readings = [{ ...READ, part: 'notices', since: at('2026-11-02T23:30Z') }];
    const early = outage(at('2026-11-02T22:00Z'), at('2026-11-03T03:00Z'), { openedAt: at('2026-11-02T23:30Z') });
    const report = await reportOf({ alerts: [early], readings, keptSince: at('2026-11-02T23:30Z') });
    expect(formatTextReport(report)).toContain('  not watched before Mon 2 Nov 23:30');
    expect(report.outages).toMatchObject([{ unreadMs: 0, withinMs: 5 * HOUR }]);
  });

  it('whose first looks were pruned was watched', async () => {
    const readings = [{ ...READ, part: 'notices', since: at('2026-11-02T23:30Z') }];
    const report = await reportOf({
      alerts: [outage(at('2026-11-02T22:00Z'), at('2026-11-03T03:00Z'))],
      readings,
      keptSince: at('2026-11-02T23:30Z'),
    });
    expect(formatTextReport(report)).not.toContain('not watched before');
    expect(formatTextReport(report)).toContain('The history begins Mon 2 Nov 23:30');
    expect(formatTextReport(report)).toContain('not read for 1 h 30 min of it');
  });
});

describe('what was not read', () => {
  const begins = at('2026-11-02T12:00Z');
  const gap = { since: at('2026-11-04T10:00Z'), until: at('2026-11-04T11:30Z') };
  const readings = (source: string, since: number) => [
    { ...READ, source, part: 'notices', since, until: gap.since },
    { ...READ, source, part: 'notices', since: gap.until },
  ];

  it('is listed since the history begins, which is said once', async () => {
    const both = [...readings('provider', begins), ...readings('carrier', begins + 4_000)];
    const report = await reportOf({ readings: both, keptSince: begins });
    for (const text of [formatTextReport(report), renderHtml(report).replaceAll(/<[^>]*>/g, '')]) {
      expect(text.match(/(?:provider|carrier): 1 h 30 min in 1 gap/g)).toHaveLength(2);
      expect(text).not.toContain('Sun 1 Nov 00:00 to Mon 2 Nov 12:00');
      expect(text.match(/The history begins Mon 2 Nov 12:00/g)).toHaveLength(1);
    }
  });

  it('is the beginning, too, of a source that was first read a while later', async () => {
    const both = [...readings('provider', begins), ...readings('carrier', begins + HOUR)];
    const text = formatTextReport(await reportOf({ readings: both, keptSince: begins }));
    expect(text).toContain(
      'carrier: 2 h 30 min in 2 gaps\n  Wed 4 Nov 10:00 to Wed 4 Nov 11:30 (1 h 30 min)\n  Mon 2 Nov 12:00 to Mon 2 Nov 13:00 (1 h)',
    );
  });
});

describe('components of an outage', () => {
  it('are named once, with what they are part of where that is known', async () => {
    const opened = {
      ...reminder,
      transition: {
        ...reminder.transition,
        kind: 'notice.opened',
        details: {
          notice: { ...notice, type: 'unplanned' },
          updates: [],
          components: [
            { id: '7', name: 'Calls' },
            { id: '8', name: 'Fax' },
          ],
        },
      },
      alert: ALERT,
    } as unknown as TransitionRecord;
    const transitions = [
      opened,
      componentChange('7', { name: 'Calls', path: ['Voice'] }),
      componentChange('9', { name: 'Calls', path: ['Perth'] }),
    ];
    const report = await reportOf({ alerts: [outage(at('2026-11-02T22:00Z'), null, { id: 'a' })], transitions });
    expect(report.outages).toMatchObject([{ components: ['Fax', 'Perth › Calls', 'Voice › Calls'] }]);
  });
});

describe('an alert of several accounts', () => {
  const ACCOUNTS = ['abbott', 'barossa'];
  const LOST = at('2026-11-03T09:00Z');
  const shared = ACCOUNTS.map((source, index) =>
    outage(LOST + index * 60_000, LOST + (index + 1) * HOUR, {
      source,
      family: 'phones',
      notice: null,
      title: `${source}: phones at Richmond`,
      severity: index === 0 ? 'warning' : 'critical',
    }),
  );
  const transitions = ACCOUNTS.map((source): TransitionRecord => {
    const { status, severity: _, ...content } = accountSamples['registration.mass'](LOST);
    const transition = { ...content, kind: 'registration.mass', id: source.repeat(8), source, at: LOST } as const;
    return { transition, status, alert: { ...ALERT, id: 'a'.repeat(64) } } as TransitionRecord;
  });
  const readings = [...ACCOUNTS, 'provider'].map((source) => ({ ...READ, source, part: 'registrations' }));
  const names = {
    abbott: { called: 'Abbott Lawyers', customer: 'abbott' },
    barossa: { called: 'Barossa Wine', customer: 'barossa' },
  };

  it('is one outage of all of them, as long and as severe as the whole', async () => {
    const report = await reportOf({ alerts: shared, transitions, readings }, { names });
    expect(report.outages).toMatchObject([
      {
        number: 3,
        sources: ACCOUNTS,
        title: '28 phones at 2 customers',
        severity: 'critical',
        since: LOST,
        until: LOST + 2 * HOUR,
        withinMs: 2 * HOUR,
      },
    ]);
    const text = formatTextReport(report);
    expect(text.match(/^#3 /gm)).toHaveLength(1);
    expect(text).toContain('  Abbott Lawyers and Barossa Wine, from Tue 3 Nov 09:00');
    expect(renderHtml(report)).toContain('<p>Abbott Lawyers and Barossa Wine, from ');
  });

  it('goes on while one of them does', async () => {
    const alerts = shared.map((row, index) =>
      index === 0 ? row : { ...row, resolvedAt: null, status: 'open' as const },
    );
    const report = await reportOf({ alerts, transitions, readings }, { names });
    expect(report.outages).toMatchObject([{ until: null, title: '28 phones offline at 2 customers' }]);
  });

  it('is called the phones of accounts where they are not of different customers', async () => {
    const report = await reportOf({ alerts: shared, transitions, readings });
    expect(report.outages).toMatchObject([{ title: '28 phones at 2 accounts' }]);
  });

  it('is the reader’s own in a report on one account, and nobody else’s in one on several', async () => {
    const both = await reportOf({ alerts: shared, transitions, readings }, { names });
    const one = await reportOf({ alerts: shared, transitions, readings }, { names, sources: ['abbott'] });
    expect(formatTextReport(both)).toContain('Abbott Lawyers: 14 of 14 phones at Richmond');
    expect(formatTextReport(both)).not.toContain('your');
    expect(one.outages).toMatchObject([{ sources: ['abbott'], title: 'abbott: phones at Richmond' }]);
    expect(formatTextReport(one)).toContain('Abbott Lawyers: 14 of your 14 phones at Richmond');
    expect(JSON.stringify(one)).not.toMatch(/barossa/i);
  });

  it('belongs to the notice that explains one of its parts', async () => {
    const alerts = [
      outage(LOST + HOUR / 2, LOST + HOUR, { id: 'b'.repeat(64), number: 4 }),
      ...shared.map((row, index) => ({ ...row, cause: index === 0 ? 'b'.repeat(64) : null })),
    ];
    const report = await reportOf({ alerts, transitions, readings }, { names });
    expect(report.outages).toMatchObject([{ number: 4, phones: { accounts: ACCOUNTS } }]);
  });
});

describe('a share', () => {
  const states = [{ source: 'provider', subject: 'component/1', name: 'Calls', at: READ.since, state: 'operational' }];
  const known = (until: number) => [{ ...READ, part: 'components', since: NOVEMBER.since, until }];

  it('of a month of which little was watched carries how much that is', async () => {
    const report = await reportOf({ states, readings: known(NOVEMBER.since + 38 * HOUR) });
    expect(formatTextReport(report)).toMatch(/provider: Calls +100\.000 % of 38 h /);
    expect(renderHtml(report)).toContain('100.000 % of 38 h');
    expect(toJsonReport(report)).toMatchObject({ uptimes: [{ percent: 100, known_ms: 38 * HOUR }] });
  });

  it('of a month that was read carries nothing', async () => {
    expect(formatTextReport(await reportOf({ states, readings: known(READ.until) }))).toMatch(
      /Calls +100\.000 % +100\.000 %/,
    );
  });
});

describe('what people read', () => {
  it('has no raw values and no ids, which programs get', async () => {
    const report = await reportOf({ transitions: [reminder], alerts: [outage(at('2026-11-02T22:00Z'), null)] });
    for (const text of [formatTextReport(report), renderHtml(report)]) {
      for (const raw of ['86400', '4711', 'ffffffff', 'aaaaaaaa', 'maintenance.reminder']) {
        expect(text).not.toContain(raw);
      }
      expect(text).toContain('#3 critical: Calls fail');
      expect(text).toContain('Router update');
    }
    expect(formatReportCsv(report)).toContain('"maintenance","provider","notice/4711"');
    expect(JSON.stringify(toJsonReport(report))).toContain('"kind":"maintenance.reminder"');
  });

  it('has its zone once, and another one where that held', async () => {
    const text = formatTextReport(
      await reportOf(
        { alerts: [outage(at('2026-10-03T12:00Z'), at('2026-10-03T20:00Z'))] },
        {
          timezone: 'Australia/Melbourne',
          month: '2026-10',
          span: { since: at('2026-09-30T14:00Z'), until: at('2026-10-31T13:00Z') },
        },
      ),
    );
    expect(text).toContain('Times are AEDT (Australia/Melbourne) unless they say otherwise.');
    expect(text).toContain('from Sat 3 Oct 22:00 AEST, to Sun 4 Oct 07:00 (8 h)');
    expect(text.match(/AEDT/g)).toHaveLength(1);
  });

  it('is headed by whom it is of, and by nobody where only the host has a name', async () => {
    expect(formatTextReport(await reportOf({}))).toMatch(/^November 2026, hq\n/);
    expect(formatTextReport(await reportOf({}, { heading: 'Acme Pty Ltd' }))).toMatch(/^November 2026, Acme Pty Ltd\n/);
    expect(formatTextReport(await reportOf({}, { heading: null }))).toMatch(/^November 2026\n/);
    const span = { since: at('2026-11-05T00:00Z'), until: at('2026-11-06T12:00Z') };
    expect(formatTextReport(await reportOf({}, { heading: null, month: null, span }))).toMatch(
      /^Thu 5 Nov 00:00 to Fri 6 Nov 12:00\n/,
    );
  });
});

describe('phones', () => {
  const site = (source: string, name: string, lost: number) => [
    { source, site: name, at: READ.since, total: 10, registered: 10, away: 0, lost: 0 },
    { source, site: name, at: NOVEMBER.since, total: 10, registered: 10 - lost, away: 0, lost },
    { source, site: name, at: NOVEMBER.since + 72 * HOUR, total: 10, registered: 10, away: 0, lost: 0 },
  ];
  const phones = [...site('acme-1', 'Richmond', 10), ...site('acme-2', 'Carlton', 0), ...site('zenith', 'Geelong', 5)];
  const readings = ['acme-1', 'acme-2', 'zenith'].map((source) => ({ ...READ, source, part: 'registrations' }));
  const names = {
    'acme-1': { called: 'Acme one', customer: 'Acme' },
    'acme-2': { called: 'Acme two', customer: 'Acme' },
    zenith: { called: 'Zenith Ltd', customer: 'Zenith' },
  };

  it('have their availability by site and by customer', async () => {
    const report = await reportOf({ phones, readings }, { names });
    const text = formatTextReport(report);
    expect(text).toMatch(/Acme one: Richmond +10 +90\.000 % +10 +10 +30 days/);
    expect(text).toMatch(/Acme two: Carlton +10 +100\.000 % +0 +0 +none/);
    expect(text).toMatch(/\nAcme +20 +95\.000 % +10 +30 days/);
    expect(text).toMatch(/\nZenith Ltd +10 +95\.000 % +5 +15 days/);
    expect(renderHtml(report)).toContain('Phones by customer');
    expect(formatReportCsv(report)).toContain('"customer",,"customer","Acme","available_percent",95,');
    expect(toJsonReport(report)).toMatchObject({
      customers: [{ customer: 'Acme', accounts: ['acme-1', 'acme-2'] }, {}],
    });
  });

  it('of one customer alone are not summed up, and of one that is asked for nobody else’s are told', async () => {
    const one = await reportOf({ phones: site('zenith', 'Geelong', 5), readings }, { names });
    expect(formatTextReport(one)).not.toContain('Phones by customer');
    const asked = await reportOf({ phones, readings }, { names, sources: ['zenith'] });
    expect(asked.sites.map(({ source }) => source)).toEqual(['zenith']);
    expect(asked.sources.map(({ source }) => source)).toEqual(['zenith']);
    expect(formatTextReport(asked)).not.toContain('Acme');
  });
});
