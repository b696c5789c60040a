/** Callers on the page of an alert: masked, as CSV, and for a user of some customers only those of their accounts. */
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { MissedReport } from '../../src/core/view/standing/calls-view.ts';
import { missedReport } from '../support/missed-report.ts';
import { addCallerRoutes, renderCallers } from '../../src/web/data/callers.ts';
import { isForCustomers, limitToCustomers } from '../../src/web/access/customer-sight.ts';
import type { Env } from '../../src/web/responses.ts';
import type { Web } from '../../src/web/web.ts';
import { statusWith } from '../support/system-status.ts';

const STATUS = statusWith({ now: 0, sources: {} });

function reportOf(source: string, number: string): MissedReport {
  const report = missedReport(source, number, { withheld: 2, usual: { least: 31, most: 44 } });
  return { ...report, unread: ['voicemail: not available for this account'] };
}

function webOf(reports: readonly MissedReport[] | string): Web {
  // Only what these routes use.
  return {
    missed: () => Promise.resolve(reports),
    status: () => STATUS,
    redact: (text: string) => text,
    sourcesOf: (customers: readonly string[]) => new Set(customers),
    history: {},
    changes: {},
  } as unknown as Web;
}

async function csvOf(web: Web): Promise<{ status: number; body: string }> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    c.set('web', web);
    await next();
  });
  addCallerRoutes(app);
  const answer = await app.request('/alerts/2/callers.csv');
  return { status: answer.status, body: await answer.text() };
}

test('the page lists them with masked numbers, what is known of each, and what is not', () => {
  const shown = String(renderCallers(STATUS, [reportOf('acme', '0412345209')], 2));
  const text = shown.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toContain('1 of 3 callers still waits.');
  expect(text).toContain('04•• ••• 209');
  expect(text).toContain('left a message');
  expect(text).toContain('2 calls came from withheld numbers.');
  expect(text).toContain('Calls that failed before your account are not known; usually 31–44 come at this time.');
  expect(text).toContain('Not known: voicemail: not available for this account.');
  expect(shown).not.toMatch(/0?412\s?345\s?209|555\s?019/);
  expect(renderCallers(STATUS, [], 2)).toBeNull();
});

test('where they cannot be listed, page and CSV say why', async () => {
  const why = 'The member lw-b does not answer.';
  expect(String(renderCallers(STATUS, why, 2))).toContain(`<p>${why}</p>`);
  expect(await csvOf(webOf(why))).toEqual({ status: 503, body: expect.stringContaining(why) as string });
  expect(await limitToCustomers(webOf(why), ['beta']).missed(2)).toBe(why);
});

test('markup in place of a number is text', () => {
  const shown = String(renderCallers(STATUS, [reportOf('acme', '<script>1</script>')], 2));
  expect(shown).not.toContain('<script>');
});

test('their CSV is masked, and cannot be a formula', async () => {
  const { body } = await csvOf(webOf([reportOf('=acme', '0412345209')]));
  expect(body).toContain(`"'=acme","04•• ••• 209"`);
  expect(body).not.toContain('0412345209');
  expect((await csvOf(webOf([]))).status).toBe(404);
});

test('a user of some customers sees callers of their accounts alone', async () => {
  const web = webOf([reportOf('acme', '0412345209'), reportOf('beta', '0498765123')]);
  expect(await limitToCustomers(web, ['beta']).missed(2)).toEqual([reportOf('beta', '0498765123')]);
  expect(isForCustomers('/alerts/2/callers.csv')).toBe(true);
  expect(isForCustomers('/alerts/2/callers')).toBe(false);
});
