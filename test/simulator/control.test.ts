import { beforeEach, expect, test } from 'vitest';
import { ACTIONS } from '../../src/simulator/control/actions.ts';
import { runScenario } from '../../src/simulator/scenario/run-scenario.ts';
import { readScenario } from '../../src/simulator/scenario/scenario.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { type ManualTime, manualTime } from './support/manual-time.ts';

let time: ManualTime;
let provider: Simulator;

beforeEach(() => {
  time = manualTime();
  provider = createSimulator({ ...time });
});

async function control(path: string, body?: unknown): Promise<{ status: number; said: Record<string, unknown> }> {
  const response = await provider.app.request(`/_control/${path}`, {
    method: 'POST',
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, said: (await response.json()) as Record<string, unknown> };
}

test('GET /_control lists every action with the schema of its body', async () => {
  const said = (await (await provider.app.request('/_control')).json()) as { actions: Record<string, unknown> };
  expect(Object.keys(said.actions)).toEqual([...ACTIONS.keys()]);
  expect(said.actions['open_notice']).toMatchObject({ body: { type: 'object', required: ['subject'] } });
});

test('a notice is opened by name, changed, and closed', async () => {
  expect(await control('open_notice', { ref: 'a', subject: 'Down', components: ['SMS'], began_ago: '5m' })).toEqual({
    status: 200,
    said: { done: true, notice: 5001 },
  });
  expect(provider.status.documents().notices[0]).toMatchObject({ began_at: '2026-03-02T08:55:00.000Z' });
  await control('update_notice', { notice: 'a', state: 'identified', content: 'Found it.', components: [101, 'SMS'] });
  await control('edit_update', { content: 'Found it, really.' });
  expect(provider.status.documents().details.get(5001)).toMatchObject({
    state: 'identified',
    components: [{ id: 101 }, { id: 120 }],
    updates: [{ state: 'investigating' }, { state: 'identified', content: 'Found it, really.' }],
  });
  await control('close_notice', { notice: 5001 });
  await control('review_notice', { content: 'What we learned.' });
  expect(provider.status.documents().notices[0]).toMatchObject({
    state: 'resolved',
    latest_update: { state: 'resolved', content: 'What we learned.' },
  });
});

test('planned work takes its window in durations from now', async () => {
  await control('open_notice', { type: 'planned', subject: 'Work', begins_in: '1h', ends_in: '90m' });
  expect(provider.status.documents().notices[0]).toMatchObject({
    begins_at: '2026-03-02T10:00:00.000Z',
    ends_at: '2026-03-02T10:30:00.000Z',
  });
  await control('update_notice', { begins_at: '2026-03-02T23:00:00+11:00' });
  expect(provider.status.documents().notices[0]).toMatchObject({ begins_at: '2026-03-02T12:00:00.000Z' });
});

test('components and page are changed by hand', async () => {
  await control('component_state', { component: 'SMS', state: 'degraded' });
  await control('page_state', { state: 'degraded' });
  await control('rename_page', { name: 'Other' });
  await control('add_component', { name: 'Fax', parent: 'SMS' });
  await control('rename_component', { component: 'Fax', name: 'Faxes' });
  await control('move_component', { component: 'Faxes', parent: null });
  await control('remove_component', { component: 'Voicemail' });
  const { page, components } = provider.status.documents();
  expect(page).toMatchObject({ name: 'Other', state: 'degraded' });
  expect(components.find(({ name }) => name === 'SMS')?.state).toBe('degraded');
  expect(components.at(-1)).toMatchObject({ name: 'Faxes', parent_id: null });
  expect(components.some(({ name }) => name === 'Voicemail')).toBe(false);
});

test('notices leave in each of the ways they do', async () => {
  for (const ref of ['a', 'b', 'c']) await control('open_notice', { ref, subject: ref });
  await control('withdraw_notice', { notice: 'a' });
  await control('archive_notice', { notice: 'b', status: 410 });
  await control('hide_notice', { notice: 'c' });
  const status = async (id: number): Promise<number> => (await provider.app.request(`/api/v1/notices/${id}`)).status;
  expect([await status(5001), await status(5002), await status(5003)]).toEqual([404, 410, 200]);
  expect(provider.status.documents().notices).toEqual([]);
  await control('restore_notice', { notice: 'b' });
  expect(provider.status.documents().notices).toHaveLength(1);
});

test('a fault lasts as long as it was told to', async () => {
  await control('inject', { on: 'status.show', for: '10s', fault: { kind: 'status', status: 503 } });
  expect((await provider.app.request('/api/v1/status')).status).toBe(503);
  time.pass(10_000);
  expect((await provider.app.request('/api/v1/status')).status).toBe(200);
  expect((await control('inject', { fault: { kind: 'empty' } })).said).toEqual({ done: true, fault: 2 });
  await control('remove_fault', { fault: 2 });
  await control('inject', { fault: { kind: 'empty' } });
  await control('clear_faults');
  expect(provider.faults.list()).toEqual([]);
});

test('links and validators are switched', async () => {
  await control('links', { last_page: 'absent', href: 'api' });
  await control('validators', { on: true });
  const response = await provider.app.request('/api/v1/status');
  expect(response.headers.has('etag')).toBe(true);
  expect(await response.json()).toMatchObject({ page: { links: { notices: { href: '/api/v1/notices' } } } });
});

test('the log is read and cleared', async () => {
  await provider.app.request('/api/v1/status');
  const log: unknown = await (await provider.app.request('/_control/log')).json();
  expect(log).toMatchObject({ most_in_any_second: 1, arrivals: [{ path: '/api/v1/status' }] });
  await control('log/clear');
  expect(provider.log.all()).toEqual([]);
});

test('a story is advanced by hand', async () => {
  expect((await control('scenario/advance')).said).toEqual({ error: 'No scenario is loaded.' });
  runScenario(provider, readScenario('name: N\nsteps:\n  - at: 1h\n    open_notice: {subject: S}\n', 'n.yaml'));
  expect((await control('scenario/advance')).said).toMatchObject({ advanced: true, performed: 1, next: null });
  expect((await control('scenario/advance')).said).toMatchObject({ advanced: false });
  expect(await (await provider.app.request('/_control/scenario')).json()).toMatchObject({ scenario: 'N', steps: 1 });
});

test.each([
  ['nothing', {}, 'There is no action "nothing"'],
  ['open_notice', {}, 'at subject'],
  ['open_notice', { subject: 'S', colour: 'red' }, 'Unrecognized key: "colour"'],
  ['open_notice', '{', 'JSON'],
  ['update_notice', { content: 'x' }, 'No notice has been opened yet.'],
  ['close_notice', { notice: 'b' }, 'No notice was opened with ref "b".'],
  ['close_notice', { notice: 7 }, 'There is no notice 7.'],
  ['component_state', { component: 'Fax', state: 'degraded' }, 'There is no component "Fax".'],
  ['inject', { fault: { kind: 'melt' } }, 'kind'],
])('%s with %j is refused with the reason', async (action, body, reason) => {
  const { status, said } = await control(action, body);
  expect(status).toBe(400);
  expect(said['error']).toContain(reason);
});
