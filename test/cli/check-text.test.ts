/** The first line of `check` is that of a monitoring plugin, whatever providers write. */
import { describe, expect, test } from 'vitest';
import { checkLines, formatHeadLine, type CheckReport, type CheckVerdict } from '../../src/cli/status/check-text.ts';
import { parsePluginOutput, type PluginOutput } from '../support/plugin-output.ts';

const NOW = Date.parse('2026-03-24T04:00:00.000Z');
const AT = '2026-03-24T03:43:00.000Z';
const EXIT = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;

type Page = CheckReport['sources'][number];
type Account = CheckReport['accounts'][number];

function page(verdict: CheckVerdict, more: Partial<Page> = {}): Page {
  return {
    name: 'provider',
    base_url: 'https://status.example.com',
    last_read_at: AT,
    blind: [],
    page: { name: 'Southern Cross Voice', state: 'operational' },
    components: { total: 12, not_operational: [] },
    notices: [],
    alerts: [],
    verdict,
    ...more,
  };
}

function site(name: string | null, total: number, missing: number): NonNullable<Account['phones']>['sites'][number] {
  const phones = Array.from({ length: missing }, (_, index) => ({
    extension: String(100 + index),
    name: null,
    since: AT,
  }));
  return { site: name, total, registered: total - missing, missing: phones };
}

function account(verdict: CheckVerdict, sites: ReturnType<typeof site>[], more: Partial<Account> = {}): Account {
  const total = sites.reduce((sum, one) => sum + one.total, 0);
  const missing = sites.flatMap((one) => one.missing.map(({ extension }) => extension));
  return {
    name: 'head-office',
    base_url: 'https://api.example.com',
    last_read_at: AT,
    blind: [],
    unread: [],
    phones: { total, registered: total - missing.length, missing, sites },
    toggles: null,
    alerts: [],
    verdict,
    ...more,
  };
}

function printed(verdict: CheckVerdict, sources: Page[], accounts: Account[]): PluginOutput & { head: string } {
  const lines = checkLines({ verdict, sources, accounts }, { timezone: 'Australia/Melbourne', now: NOW });
  return { head: lines[0] ?? '', ...parsePluginOutput(`${lines.join('\n')}\n`, EXIT[verdict]) };
}

const alert = (title: string, severity: 'critical' | 'warning' = 'critical'): Page['alerts'][number] => ({
  id: 'a',
  number: 1,
  severity,
  title,
  started_at: AT,
});

describe('the first line', () => {
  test('says what is wrong, and how many phones are registered', () => {
    const sites = [site('Carlton', 19, 0), site('Richmond', 20, 20), site('Parramatta', 20, 0)];
    expect(printed('critical', [], [account('critical', sites)]).head).toBe(
      'CRITICAL: 20 of 20 phones at Richmond offline | registered=39;;;0;59 offline=20;;;0;59',
    );
  });

  test('says all sums where all is well', () => {
    expect(printed('ok', [page('ok')], [account('ok', [site('Richmond', 20, 0)])]).head).toBe(
      'OK: 20 of 20 phones registered; Southern Cross Voice says operational, 12 of 12 components operational | ' +
        'registered=20;;;0;20 offline=0;;;0;20 operational=12;;;0;12',
    );
  });

  test('names the worst sources alone, three reasons at most', () => {
    const alerts = ['One', 'Two', 'Three', 'Four'].map((title) => alert(title));
    const { text } = printed(
      'critical',
      [page('critical', { alerts })],
      [account('warning', [site('Richmond', 20, 1)])],
    );
    expect(text).toBe('One; Two; Three and 1 more');
  });

  test('does not count what could not be read', () => {
    const unread = account('unknown', [site('Richmond', 20, 0)], {
      unread: ['registrations'],
      blind: ['registrations: it answered 500'],
    });
    const { text, data } = printed('unknown', [page('ok')], [unread]);
    expect(text).toBe('head-office could not be read: registrations: it answered 500');
    expect(data).toMatchObject({ registered: { value: 'U' }, offline: { value: 'U' }, operational: { value: 12 } });
  });

  test('keeps its form whatever a provider writes', () => {
    const hostile = "a|b=1;2 'c\n| d\u001b[1m";
    const { text, details } = printed('critical', [page('critical', { alerts: [alert(hostile)] })], []);
    expect(text).toBe("a/b=1;2 'c / d[1m");
    expect(details.join('\n')).not.toContain('|');
    expect(parsePluginOutput(formatHeadLine('unknown', hostile), 3).text).toBe(text);
  });
});

test('no line speaks of routes: nobody is alerted by a check', () => {
  const alerts = [{ ...alert('Calls fail'), not_told: 'no route' as never }];
  const lines = printed('critical', [page('critical', { alerts })], []).details.join('\n');
  expect(lines).not.toMatch(/not told|route/);
});

describe('the parser that reads it has the rules of the guidelines:', () => {
  const parsed = (data: string) => () => parsePluginOutput(`OK: all is well | ${data}\n`, 0).data;

  test.each([
    '/=2643MB;5948;5958;0;5968',
    "'free space'=20%;10:;5:",
    'time=0.27s;;;0.000',
    'load=-1.5;~:10;@10:20',
    'sent=U',
    'packets=12c',
    'a=1 b=2',
  ])('%s is performance data', (data) => {
    expect(parsed(data)).not.toThrow();
  });

  test.each([
    'free space=20%',
    'time=1,5s',
    'time=12 s',
    'phones=12phones',
    'phones=',
    '=12',
    "a'b=1",
    'a=1;2;3;4;5;6',
    'a=1;;;x',
    'a=1;10-20',
    'a=1 a=2',
    'phones_at_the_office_1=1 phones_at_the_office_2=1',
  ])('%s is none', (data) => {
    expect(parsed(data)).toThrow(/no performance datum|begins as another one/);
  });

  test.each([
    ['WARNING: it is late\n', 2, 'WARNING with exit code 2'],
    ['Warning: it is late\n', 1, 'no state'],
    ['WARNING:\n', 1, 'no state'],
    ['it is late\n', 1, 'no state'],
    ['', 0, 'no state'],
  ])('%j with exit code %d is no output of a plugin', (out, code, why) => {
    expect(() => parsePluginOutput(out, code)).toThrow(why);
  });
});
