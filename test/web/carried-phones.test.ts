/** Phones that another alert carries: the page of the alert that explains them names them. */
import { expect, test } from 'vitest';
import { createAlert } from '../../src/core/alert/alert.ts';
import { createOwnState } from '../../src/core/engine/self-source.ts';
import { findAlertInStatus, type AlertInStatus } from '../../src/core/view/build-status.ts';
import { renderAlertPage } from '../../src/web/alert/alert-page.ts';
import { MINUTE, phones, SETTINGS, town } from '../core/account/paper-town.ts';
import { factsWith } from '../support/system-status.ts';

const VIEWER = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
const PARTS = { trouble: null, form: { by: '', comment: '' }, callers: null };

/** Alert #99 of the provider, and an account that has lost three phones, whose alert is changed like this. */
function outage(change: object): AlertInStatus {
  const all = town();
  const account = all.account('acme', phones(100, 8, '203.0.113.7'), SETTINGS);
  account.sweep(0);
  account.lose(({ extension }) => Number(extension) < 103);
  for (let minute = 0; minute < 8; minute += 1) account.sweep(MINUTE);
  const now = all.now();
  const trouble = createAlert({ id: 'trouble', number: 99, source: 'acme', startedAt: now, family: 'notice', now });
  const own = { ...createOwnState(), alerts: [{ ...trouble, group: 'all' }] };
  const alerts = account.state.alerts.map((alert) => ({ ...alert, ...change }));
  return findAlertInStatus(factsWith({ now, own, sources: { acme: { ...account.state, alerts } } }), 99);
}

async function show({ status, story }: AlertInStatus): Promise<string> {
  return String(await renderAlertPage({ status, viewer: VIEWER, refreshSeconds: null }, story!, null, PARTS));
}

test.each([
  ['that it explains', { cause: 'trouble' }],
  ['that became part of it', { absorbedBy: 'all' }],
])('phones of a loss %s stand on its page', async (_, change) => {
  const page = await show(outage(change));
  for (const name of ['100 (Desk 100)', '101 (Desk 101)', '102 (Desk 102)']) expect(page).toContain(name);
});

test.each([
  ['of a loss with another cause', { cause: null }],
  ['that are back', { cause: 'trouble', status: 'resolved', resolvedAt: 0 }],
])('phones %s do not', async (_, change) => {
  expect(await show(outage(change))).not.toContain('Desk 10');
});
