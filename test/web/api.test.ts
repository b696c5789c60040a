/** Every answer for programs is what its schema, and so the description that is made of it, says. */
import { expect, test } from 'vitest';
import { API, type ApiName } from '../../src/web/api-schemas.ts';
import { openWeb } from './open-web.ts';

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
    if (name !== 'status') expect([name, read.data]).toEqual([name, answer]);
    if (!Array.isArray(answer) || answer.length > 0) filled.push(name);
  }
  expect(filled).toEqual(
    expect.arrayContaining(['alerts', 'ended', 'components', 'maintenance', 'deliveries', 'verdict']),
  );
});

test('every path is described, with what it can be asked', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  interface Described {
    get: { parameters: { name: string; in: string }[] };
  }
  const { paths } = JSON.parse((await web.ask('/api/openapi.json')).body) as { paths: Record<string, Described> };
  expect(Object.keys(paths)).toEqual(Object.keys(API).map((name) => `/api/${name}`));
  expect(paths['/api/days']?.get.parameters.map((one) => `${one.in} ${one.name}`)).toEqual([
    'query q',
    'query show',
    'query page',
  ]);
  expect(paths['/api/alerts/{number}']?.get.parameters).toHaveLength(1);
});
