/** Deliveries: a test to one receiver, and how each receiver stands with its times of the last day. */
import { expect, test } from 'vitest';
import type { DeliveryRecord } from '../../src/core/history/record.ts';
import { computeRecentDeliveries } from '../../src/core/view/recent-deliveries.ts';
import { renderDeliveriesPage } from '../../src/web/views/deliveries-page.ts';
import { deliveriesOf, firmCalm } from '../support/firm-statuses.ts';
import type { RecordingReceiver } from '../support/running-daemon.ts';
import { openWeb, type OpenWeb } from './open-web.ts';

const VIEWER = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };

/** Samples among what it took. */
function countTests({ sent: taken }: RecordingReceiver): number {
  return taken.filter(({ alert }) => alert.title.startsWith('Test message: ')).length;
}

async function askTest(web: OpenWeb, receiver: string, site = 'same-origin') {
  return await web.ask('/deliveries', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
    body: new URLSearchParams({ receiver, do: 'test' }).toString(),
  });
}

test('a test goes to that receiver alone, and the page says what it answered', async () => {
  await using web = await openWeb();
  const { people, programs } = web.running;
  expect((await web.ask('/deliveries')).body.match(/Send a test/g)).toHaveLength(2);
  const answer = await askTest(web, 'people');
  expect(answer.status).toBe(200);
  expect(answer.body).toContain('The test to people is taken: the medium has it and shows it by itself.');
  expect([countTests(people), countTests(programs)]).toEqual([1, 0]);
  people.send = () =>
    Promise.resolve({ kind: 'permanent', code: 'gone', reason: 'there is <nothing> at this address' });
  web.running.clock.jump(10_000);
  const refused = await askTest(web, 'people');
  expect(refused.body).toMatch(/The test did not reach people:[^]*there is &lt;nothing&gt; at this address/);
  expect((await askTest(web, 'nobody')).body).toContain('There is no receiver nobody.');
});

test('what the last message to a receiver proves stands beside its time, and no message is called delivered', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  const { body } = await web.ask('/deliveries');
  expect(body).toMatch(/<\/time>, taken/);
  expect(body).not.toMatch(/[Dd]elivered/);
});

test('a receiver gets one test in ten seconds, and the page says when the next can be sent', async () => {
  await using web = await openWeb();
  const { people, programs } = web.running;
  await askTest(web, 'people');
  web.running.clock.jump(3_500);
  const early = await askTest(web, 'people');
  expect(early.status).toBe(422);
  expect(early.body).toContain('A test went to people 4 s ago: the next can be sent in 7 s.');
  expect(countTests(people)).toBe(1);
  // Another receiver is asked for itself.
  expect((await askTest(web, 'programs')).status).toBe(200);
  expect(countTests(programs)).toBe(1);
  web.running.clock.jump(6_500);
  expect((await askTest(web, 'people')).status).toBe(200);
  expect(countTests(people)).toBe(2);
});

test('two tests at the same moment are one', async () => {
  await using web = await openWeb();
  const answers = await Promise.all([askTest(web, 'people'), askTest(web, 'people')]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(countTests(web.running.people)).toBe(1);
});

test('nobody sends a test from another site, or without the right to change something', async () => {
  await using web = await openWeb();
  expect((await askTest(web, 'people', 'cross-site')).status).toBe(403);
  await using closed = await openWeb({ silences: false });
  expect((await askTest(closed, 'people')).status).toBe(403);
  expect((await closed.ask('/deliveries')).body).not.toContain('Send a test');
  expect([countTests(web.running.people), countTests(closed.running.people)]).toEqual([0, 0]);
});

const sent = (receiver: string, at: number, given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  id: `${receiver} ${at}`,
  at,
  receiver,
  message: `m${at}`,
  source: 'provider',
  alert: 'a',
  number: 4,
  outcome: 'delivered',
  detail: '',
  recipients: [],
  promisedAt: at - 500,
  dueAt: at - 400,
  reminder: 0,
  transitions: ['t1'],
  ...given,
});

test('times of the last day: half of them, the slowest, and what has not arrived', () => {
  const records = [
    sent('slack', 1_000),
    sent('mail', 50_000, { message: 'm2', outcome: 'transient' }),
    sent('mail', 97_400, { message: 'm2', promisedAt: 50_000, dueAt: 50_400, transitions: ['t2'] }),
    sent('pager', 98_000, { message: 'm3', outcome: 'permanent' }),
    sent('slack', 99_000),
    sent('bus', 99_001, { message: 'm4' }),
  ];
  const { delivered, missed, medianMs, slowestMs, receivers, last } = computeRecentDeliveries(records, {
    since: 2_000,
    until: 100_000,
  });
  expect({ delivered, missed, medianMs, slowestMs }).toEqual({
    delivered: 3,
    missed: 1,
    medianMs: 400,
    slowestMs: 47_000,
  });
  expect(receivers.get('mail')).toBe(47_000);
  expect(last).toEqual([
    { at: 99_001, alert: 4, receivers: ['bus', 'slack'], afterMs: 400 },
    { at: 97_400, alert: 4, receivers: ['mail'], afterMs: 47_000 },
  ]);
  const empty = computeRecentDeliveries([], { since: 0, until: 1 });
  expect([empty.medianMs, empty.slowestMs, empty.last]).toEqual([null, null, []]);
});

test('a receiver that fails is the headline; where all work nothing waits and nothing is asked of the reader', async () => {
  const broken = deliveriesOf(firmCalm());
  const show = async ({ status, deliveries, waiting }: typeof broken): Promise<string> =>
    String(await renderDeliveriesPage({ status, viewer: VIEWER, refreshSeconds: null }, waiting, deliveries));
  expect(await show(broken)).toMatch(/<h1[^]*1 of 4 receivers fails[^]*<dt>To do<\/dt>/);
  expect(await show(broken)).toContain('tried 9 times, again within 40 s');
  const receivers = broken.status.receivers.filter(({ failing }) => failing === null);
  const well = await show({ ...broken, status: { ...broken.status, receivers }, waiting: [] });
  expect(well).toContain('All 3 receivers work');
  expect(well).not.toContain('tried ');
  expect(well).not.toMatch(/<dt>To do|id="waiting"/);
});

test('a receiver that does not take a message shows how often it was tried and when it is tried again', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  running.people.outcomes.push({ kind: 'transient', code: 'throttled', reason: 'slower', retryAfterMs: 60_000 });
  provider.simulator.status.openNotice({ subject: 'Calls fail' });
  let attempt = web.nextAttempt();
  running.clock.advance(30_000);
  while ((await attempt).receiver !== 'people') attempt = web.nextAttempt();
  expect((await web.ask('/deliveries')).body).toMatch(/tried once, again within \d+ (s|min)/);
});
