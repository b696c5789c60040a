/** Alive is not ready: the probe says what keeps Linewatch from doing its work. */
import { expect, test } from 'vitest';
import type { MembersView } from '../../src/core/view/system-status.ts';
import { memoryDocuments } from '../support/running-daemon.ts';
import { openWeb } from './open-web.ts';

const MINUTE = 60_000;

test('is alive from the start and ready once every source was read', async () => {
  await using web = await openWeb();
  expect(await web.ask('/healthz')).toMatchObject({ status: 200, body: 'alive\n' });
  web.provider.simulator.faults.add({ fault: { kind: 'status', status: 503 } });
  await web.running.sweep();
  const early = await web.ask('/readyz');
  expect(early).toMatchObject({ status: 503, headers: { 'content-type': expect.stringMatching(/^text\/plain/) } });
  expect(early.body).toMatch(/^not ready\n- source provider: not read in full since the start: notices: .*503/);
  web.provider.simulator.faults.clear();
  await web.running.sweep();
  expect(await web.ask('/readyz')).toMatchObject({ status: 200, body: 'ready\n' });
});

test('speaks JSON to whoever prefers it', async () => {
  await using web = await openWeb();
  const headers = { accept: 'application/json' };
  const early = await web.ask('/readyz', { headers });
  expect([early.status, JSON.parse(early.body)]).toEqual([
    503,
    { ready: false, reasons: ['source provider: not read in full since the start'] },
  ]);
  await web.running.sweep();
  expect(JSON.parse((await web.ask('/readyz', { headers })).body)).toEqual({ ready: true, reasons: [] });
  expect(JSON.parse((await web.ask('/healthz', { headers })).body)).toEqual({ status: 'alive' });
});

test('is not ready while a source has gone unread for longer than its threshold', async () => {
  await using web = await openWeb({ unreachableAfterMs: 3 * MINUTE });
  const { running, provider } = web;
  await running.sweep();
  provider.simulator.faults.add({ fault: { kind: 'status', status: 500 } });
  await running.sweepAt(running.clock.now() + 3 * MINUTE);
  expect((await web.ask('/readyz')).status).toBe(200);
  await running.sweep();
  const late = await web.ask('/readyz');
  expect(late.status).toBe(503);
  expect(late.body).toMatch(/- source provider: last read in full 4 min ago, and 3 min is the limit: notices: /);
  provider.simulator.faults.clear();
  await running.sweep();
  expect((await web.ask('/readyz')).status).toBe(200);
});

test('does not take a jump of the clock for blindness', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  web.running.clock.jump(5 * 60 * MINUTE);
  expect((await web.ask('/readyz')).status).toBe(200);
});

test('is not ready while a receiver fails for more than ten minutes', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  const slow = {
    kind: 'transient',
    code: 'throttled',
    reason: 'It asks us to slow down',
    retryAfterMs: 15 * MINUTE,
  } as const;
  running.people.outcomes.push(slow, slow);
  provider.simulator.status.openNotice({ subject: 'Calls fail' });
  const failed = attemptsOf(web, 'people');
  running.clock.advance(30_000);
  await failed;
  running.clock.jump(10 * MINUTE);
  expect((await web.ask('/readyz')).status).toBe(200);
  running.clock.jump(1000);
  const stuck = await web.ask('/readyz');
  expect(stuck.status).toBe(503);
  expect(stuck.body).toContain('- receiver people: failing for 10 min: It asks us to slow down\n');
  expect((await web.ask('/')).body).toContain('It asks us to slow down');
});

test('is not ready while a receiver has refused messages', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  running.people.outcomes.push({ kind: 'permanent', code: 'gone', reason: 'There is no such channel' });
  provider.simulator.status.openNotice({ subject: 'Calls fail' });
  const refused = attemptsOf(web, 'people');
  running.clock.advance(30_000);
  await refused;
  await new Promise((resolve) => setImmediate(resolve));
  expect((await web.ask('/readyz')).body).toContain('- receiver people: refused 1 message: There is no such channel\n');
  expect(await running.daemon.deliveries.find(({ receiver }) => receiver.name === 'people')?.drop(null)).toBe(1);
  expect((await web.ask('/readyz')).status).toBe(200);
});

test('is not ready while its state cannot be saved', async () => {
  const documents = memoryDocuments();
  let full = false;
  const source: typeof documents.source = async (name, empty) => {
    const document = await documents.source(name, empty);
    return {
      get value() {
        return document.value;
      },
      commit: (next) => (full ? Promise.reject(new Error('No space left.')) : document.commit(next)),
    };
  };
  await using web = await openWeb({ documents: { ...documents, source } });
  const { running, provider } = web;
  await running.sweep();
  full = true;
  provider.simulator.status.openNotice({ subject: 'Calls fail' });
  await running.sweep();
  const unsaved = await web.ask('/readyz');
  expect(unsaved).toMatchObject({
    status: 503,
    body: expect.stringContaining('- state of provider: it cannot be saved'),
  });
  expect((await web.ask('/metrics')).body).toContain('\nlinewatch_state_unsaved_documents 1\n');
  full = false;
  await running.sweep();
  expect((await web.ask('/readyz')).status).toBe(200);
});

/** Resolves when this receiver was tried. */
async function attemptsOf(web: Awaited<ReturnType<typeof openWeb>>, receiver: string): Promise<void> {
  while ((await web.nextAttempt()).receiver !== receiver);
}

test('of several members one that stands by says so, and who leads', async () => {
  const member = {
    version: '1.0.0',
    epoch: null,
    silentMs: 500,
    lagMs: 3,
    clockAheadMs: 0,
    standing: 'standing by' as const,
  };
  const members = { self: 'two', leader: 'one', isCutOff: false, all: [{ ...member, name: 'two' }] };
  const asked = async (of: MembersView): Promise<[number, string]> => {
    await using web = await openWeb({ members: of });
    await web.running.sweep();
    const { status, body } = await web.ask('/readyz');
    return [status, body];
  };
  expect(await asked(members)).toEqual([200, 'standing by: one leads\n']);
  expect(await asked({ ...members, self: 'one' })).toEqual([200, 'ready\n']);
  expect(await asked({ ...members, leader: null })).toEqual([503, 'standing by\n- members: nobody leads\n']);
  expect(await asked({ ...members, leader: null, isCutOff: true })).toEqual([
    503,
    'standing by\n- members: who leads is not known, since the database does not answer\n',
  ]);
  const led = { shard: 1, sources: ['provider'], holder: 'two', epoch: 3, renewedMs: 100 };
  const unled = { ...led, shard: 2, sources: ['acme', 'umbrella'], holder: null, renewedMs: null };
  const shared = { ...members, leader: 'two', shards: [led, { ...led, shard: 3, holder: 'one' }] };
  expect(await asked(shared)).toEqual([200, 'ready\n']);
  expect(await asked({ ...shared, shards: [led, unled, { ...unled, sources: [] }] })).toEqual([
    503,
    'not ready\n- members: nobody leads shard 2 (acme and umbrella)\n',
  ]);
  expect((await asked({ ...shared, isOtherwise: true }))[1]).toContain('others lead with another division');
  const paused = {
    ...members,
    self: 'two',
    leader: 'two',
    all: [{ ...member, name: 'two', standing: 'paused' as const }],
  };
  expect(await asked(paused)).toEqual([
    503,
    'not ready\n- members: this one sends nothing for now, since the database does not answer and another member may lead by now\n',
  ]);
  await using web = await openWeb({ members: { ...shared, shards: [...shared.shards, unled] } });
  await web.running.sweep();
  const text = 'two, this machine, watches shard 1; nobody watches shard 2.';
  expect((await web.ask('/')).body).toContain(text);
});

test('with the provider cut off no sum is well, and once it is back all is said as now', async () => {
  await using web = await openWeb({ unreachableAfterMs: 3 * MINUTE });
  const { running, provider } = web;
  const said = async (): Promise<string> => {
    const { body } = await web.ask('/');
    return /id="pages">Status pages<\/h2>\s*<p>([^<]*)<\/p>/.exec(body)?.[1] ?? '';
  };
  await running.sweep();
  expect(await said()).toBe('operational');
  provider.simulator.faults.add({ fault: { kind: 'status', status: 500 } });
  await running.sweep();
  // What was read within its time still counts.
  expect(await said()).toBe('operational');
  await running.sweepAt(running.clock.now() + 3 * MINUTE);
  await running.sweep();
  expect(await said()).toMatch(/^1 not known since \d\d:\d\d$/);
  // The sweeps came to their end all the same.
  const [source] = running.daemon.sources;
  expect((source?.lastSweptAt ?? 0) - (source?.lastReadAt ?? Infinity)).toBeGreaterThan(3 * MINUTE);
  const components = JSON.parse((await web.ask('/api/components')).body) as { known: boolean }[];
  expect(new Set(components.map(({ known }) => known))).toEqual(new Set([false]));
  expect(JSON.parse((await web.ask('/api/status')).body)).toMatchObject({ sources: [{ unread: true }] });
  provider.simulator.faults.clear();
  await running.sweep();
  expect(await said()).toBe('operational');
  expect(JSON.parse((await web.ask('/api/status')).body).sources[0]).not.toHaveProperty('unread');
});
