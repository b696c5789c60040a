import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { statusCatalogue } from '../../src/provider/catalogue/status-catalogue.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { loadReplay, playReplay } from './support/replayed-page.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/replays/', import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

test('there are eleven recorded histories', () => {
  expect(FILES).toHaveLength(11);
});

test.each(FILES)('%s is answered step by step in the documented shapes', async (file) => {
  const provider = createSimulator();
  const player = playReplay(loadReplay(FOLDER + file), provider.status);
  while (player.advance()) {
    const step = player.replay.steps[player.step()];
    const page: unknown = await (await provider.app.request('/api/v1/status')).json();
    expect(page).toMatchObject({
      page: { state: step?.documents.page.state, links: { notices: { count: step?.documents.notices.length } } },
    });
    const list: unknown = await (await provider.app.request('/api/v1/notices')).json();
    expect(statusCatalogue['notices.list'].result.safeParse(list)).toMatchObject({ success: true });
    for (const notice of step?.documents.notices ?? []) {
      const detail: unknown = await (await provider.app.request(`/api/notices/${notice.id}`)).json();
      expect(statusCatalogue['notices.show'].result.safeParse(detail)).toMatchObject({ success: true });
    }
  }
  expect(player.step()).toBe(player.replay.steps.length - 1);
});

test('filters and pages work on what was recorded', async () => {
  const provider = createSimulator();
  const player = playReplay(
    loadReplay(`${FOLDER}r09_maintenance_extended_twice_with_incident_inside.json`),
    provider.status,
  );
  player.goTo(2);
  const planned: unknown = await (await provider.app.request('/api/v1/notices?filter[type_eq]=planned')).json();
  expect(planned).toMatchObject({ notices: [{ id: 600210 }], meta: { count: 1, total_count: 1 } });
  provider.status.replaceDocuments(null);
  expect(await (await provider.app.request('/api/v1/notices')).json()).toMatchObject({ meta: { total_count: 0 } });
});

test('a maintenance that was deleted answers 404', async () => {
  const provider = createSimulator();
  const player = playReplay(loadReplay(`${FOLDER}r08_maintenance_deleted_and_recreated.json`), provider.status);
  player.goTo(0);
  expect((await provider.app.request('/api/v1/notices/600200')).status).toBe(200);
  player.goTo(1);
  expect((await provider.app.request('/api/v1/notices/600200')).status).toBe(404);
});

test('there is no step beyond the last', () => {
  const player = playReplay(loadReplay(`${FOLDER}r01_one_minute_incident.json`), createSimulator().status);
  expect(() => {
    player.goTo(2);
  }).toThrow('has the steps 0 to 1; there is no step 2');
});
