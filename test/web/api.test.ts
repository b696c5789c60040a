/** Every answer for programs is what its schema, and so the description that is made of it, says. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { API, type ApiName } from '../../src/web/data/api-schemas.ts';
import type { MembersView } from '../../src/core/view/system-status.ts';
import { deliveriesOf, firmNight } from '../support/firm-statuses.ts';
import { openStood } from '../support/stood-web.ts';
import { openWeb, type OpenWeb } from './open-web.ts';

const HOUR = 3_600_000;

test('every answer is as its schema says', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  const { status } = provider.simulator;
  await running.sweep();
  const over = status.openNotice({ subject: 'Short trouble', content: 'We look.', components: ['SMS'] });
  await running.sweep();
  status.closeNotice(over, { content: 'Over.' });
  status.openNotice({ subject: 'Calls fail', content: 'We look.', components: ['SMS'] });
  const now = running.clock.now();
  status.scheduleMaintenance({ subject: 'Router work', beginsAt: now + 26 * HOUR, endsAt: now + 28 * HOUR });
  running.people.outcomes.push({ kind: 'permanent', code: 'refused', reason: 'It does not take it' });
  await running.sweep();
  const silence = new URLSearchParams({ source: 'provider', comment: 'known', length: '1h' }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  await web.ask('/silences', { method: 'POST', headers: form, body: silence });
  await web.kept.history.flush();
  const filled: string[] = [];
  for (const name of Object.keys(API) as ApiName[]) {
    const path = name.replace('{number}', '2');
    const { status: code, body } = await web.ask(`/api/${path}`);
    expect([name, code]).toEqual([name, 200]);
    const answer: unknown = JSON.parse(body);
    const read = API[name].schema.safeParse(answer);
    expect([name, read.error?.issues]).toEqual([name, undefined]);
    // Nothing is answered that the schema does not name.
    expect([name, read.data]).toEqual([name, answer]);
    if (!Array.isArray(answer) || answer.length > 0) filled.push(name);
  }
  expect(filled).toEqual(
    expect.arrayContaining(['alerts', 'ended', 'components', 'maintenance', 'deliveries', 'verdict']),
  );
});

test('status sends nothing that its schema does not name', async () => {
  const { status, history } = deliveriesOf(firmNight());
  const calls = {
    unread: [{ report: 'charges outgoing', is_missing: true }],
    still: [{ report: 'missed', since: null }],
    boxes: [{ box: '200', messages: 3, oldest: '2026-03-02T01:00:00.000Z' }],
  };
  const usual = { off: '17:30', back: '08:00' };
  const sources = status.sources.map((source) => {
    if (source.type !== 'account' || source.phones === null) return source;
    return {
      ...source,
      calls,
      phones: { ...source.phones, sites: source.phones.sites.map((site) => ({ ...site, usual })) },
    };
  });
  const proof = { state: 'asked', askedAt: HOUR, seenAt: null } as const;
  const receivers = status.receivers.map((receiver) => ({
    ...receiver,
    weekly: proof,
    last: { proof: 'taken', at: HOUR } as const,
  }));
  const open = status.open.map((alert) => ({ ...alert, facts: { ...alert.facts, more: 3 } }));
  const one = { version: '1.2.3', silentMs: 400, lagMs: 2, clockAheadMs: 30 };
  const difference = { than: 'first', parts: { lacks: ['status_pages: p2'], adds: [], differs: ['route'] } };
  const members: MembersView = {
    self: 'first',
    leader: 'first',
    isCutOff: true,
    refusal: 'it is shutting down',
    all: [
      { ...one, name: 'first', standing: 'leading', epoch: 3, share: 0.5 },
      { ...one, name: 'second', standing: 'standing by', epoch: null, lagMs: null, difference },
    ],
    shards: [{ shard: 1, sources: ['provider'], holder: 'first', epoch: 3, renewedMs: 100 }],
  };
  await using web = await openStood({ status: { ...status, sources, open, receivers, members }, history });
  const answer: unknown = await (await fetch(`${web.url}/api/status`)).json();
  const read = API.status.schema.parse(answer);
  expect(answer).toMatchObject({ members: { cut_off: true, groups: [{}] } });
  const names = ['weekly', 'last', 'more_parts', 'changes_at', 'usual'];
  const text = JSON.stringify(answer);
  expect(names.filter((name) => !text.includes(`"${name}":`))).toEqual([]);
  expect(read).toEqual(answer);
  expect(read.accounts.length).toBeGreaterThan(0);
  for (const account of read.accounts) expect(account.calls).toEqual(calls);
});

interface Described {
  get: { parameters: { name: string; in: string }[]; responses: Record<string, { description: string }> };
}

async function described(web: OpenWeb): Promise<Record<string, Described>> {
  return (JSON.parse((await web.ask('/api/openapi.json')).body) as { paths: Record<string, Described> }).paths;
}

/** Asks for everything: what is answered is as its schema says, and what is refused as the description says. */
async function statuses(web: OpenWeb): Promise<Partial<Record<ApiName, number>>> {
  const paths = await described(web);
  const found: Partial<Record<ApiName, number>> = {};
  for (const name of Object.keys(API) as ApiName[]) {
    const { status, body, headers } = await web.ask(`/api/${name.replace('{number}', '1')}`);
    expect([name, Object.keys(paths[`/api/${name}`]?.get.responses ?? {})]).toEqual([
      name,
      expect.arrayContaining([String(status)]),
    ]);
    found[name] = status;
    if (status !== 200) {
      expect([name, headers['content-type'], body.trim()]).toEqual([
        name,
        expect.stringContaining('text/plain'),
        expect.stringMatching(/^[A-Z].*\.$/),
      ]);
      continue;
    }
    expect([name, API[name].schema.safeParse(JSON.parse(body)).error?.issues]).toEqual([name, undefined]);
  }
  return found;
}

const NOTHING_KEPT = { 'alerts/{number}': 404, report: 404, days: 200, status: 200, verdict: 200 };

test('before the first look every answer is as its schema says', async () => {
  await using web = await openWeb();
  expect(await statuses(web)).toMatchObject(NOTHING_KEPT);
});

test('of a provider that has never answered every answer is as its schema says', async () => {
  await using web = await openWeb({ unreachableAfterMs: 1 });
  web.provider.simulator.faults.add({ fault: { kind: 'status', status: 503 } });
  await web.running.sweep();
  await web.running.sweep();
  expect(await statuses(web)).toMatchObject({ ...NOTHING_KEPT, 'alerts/{number}': expect.any(Number) });
});

test('where the history cannot be read that is said of what is made of it, and the rest is answered', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  web.provider.simulator.status.openNotice({ subject: 'Calls fail', content: 'We look.', components: ['SMS'] });
  await web.running.sweep();
  writeFileSync(join(web.kept.directory, 'history.db'), 'no database at all');
  expect(await statuses(web)).toMatchObject({ 'alerts/{number}': 200, report: 503, days: 503, alerts: 200 });
});

test('every path is described, with what it can be asked', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  const paths = await described(web);
  expect(Object.keys(paths)).toEqual(Object.keys(API).map((name) => `/api/${name}`));
  expect(paths['/api/days']?.get.parameters.map((one) => `${one.in} ${one.name}`)).toEqual([
    'query q',
    'query show',
    'query page',
  ]);
  expect(paths['/api/alerts/{number}']?.get.parameters.map((one) => `${one.in} ${one.name}`)).toEqual([
    'path number',
    'query id',
  ]);
});
