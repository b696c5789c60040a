/**
 * Every recorded history and the story of the demonstration, shown as each vendor shows them: the laws hold after every
 * look, and people hear of each notice what that vendor can show of it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPageType, PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { loadScenario, runScenario } from '../../src/simulator/scenario/run-scenario.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { loadReplay, playReplay } from '../simulator/support/replayed-page.ts';
import type { StatusWorld } from '../support/status-world.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import { isTried } from '../support/runs.ts';
import { createJudge, type Judge } from './vendor-laws.ts';
import { BASE, MINUTE, standIn, vendorWatch, type PaperAnswer, type VendorWatch } from '../pages/vendor-watch.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const REPLAYS = join(import.meta.dirname, '../fixtures/replays');
const DEMO = join(import.meta.dirname, '../../config/scenarios/demo.yaml');

/** What people heard of notices: how often what, in the order in which it came first. */
function heard({ watch }: VendorWatch): string {
  const kinds = watch.people.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
  const tally = Map.groupBy(
    kinds.filter((kind) => kind.startsWith('notice.')),
    (kind) => kind.slice('notice.'.length),
  );
  return [...tally].map(([kind, all]) => `${kind} ${all.length}`).join(', ');
}

async function quiet(page: VendorWatch, judge: Judge): Promise<void> {
  for (let looks = 0; looks < 4; looks += 1) {
    await page.look(11 * MINUTE);
    judge.afterLook(true);
  }
  judge.atTheEnd();
}

async function replayed(name: string, type: VendorTypeName): Promise<string> {
  const replay = loadReplay(join(REPLAYS, `${name}.json`));
  const [first] = replay.steps;
  if (first === undefined) throw new Error('a replay has at least one step');
  const simulator = createSimulator({ clock: { now: () => first.at }, components: [] });
  const world: Pick<StatusWorld, 'documents'> = simulator.status;
  const { answer, base } = standIn(type, world);
  const { page: shown, components } = first.documents;
  const before = { created_at: shown.created_at, updated_at: '2017-01-01T00:00:00.000Z' };
  // It begins after a quiet step, so that it does not begin inside the baseline.
  simulator.status.replaceDocuments({
    page: { ...shown, ...before, state: 'operational' },
    components: components.map((each) => ({ ...each, ...before, state: 'operational' })),
    notices: [],
    details: new Map(),
    gone: new Set(),
  });
  const page = await vendorWatch(type, answer, { base, start: first.at - 2 * MINUTE });
  const judge = createJudge(type, (await loadPageType(type)).limits, page, world);
  await page.look();
  judge.afterLook(true);
  const player = playReplay(replay, simulator.status);
  while (player.advance()) {
    const at = replay.steps[player.step()]?.at ?? 0;
    await page.look(Math.max(0, at - page.now()));
    judge.afterLook(true);
  }
  await quiet(page, judge);
  const { alerts, snapshot } = page.watch.state;
  // Where nobody can say how one went on that was deleted, it stays open, and is told so.
  const given = snapshot.notices?.filter(({ unlisted }) => unlisted?.told === true).map(({ id }) => id) ?? [];
  const open = alerts.filter(({ status, notice }) => status === 'open' && !given.includes(notice ?? ''));
  expect(open.map(({ title }) => title)).toEqual([]);
  return heard(page);
}

/** As `provider --as` answers: with its faults, through the program itself. */
async function told(type: VendorTypeName): Promise<string> {
  let page: VendorWatch | null = null;
  const start = Date.parse('2026-03-02T09:00:00.000Z');
  const now = (): number => page?.now() ?? start;
  const scenario = loadScenario(DEMO);
  const timers = { after: () => () => undefined };
  const simulator = createSimulator({ ...scenario.world, as: type, clock: { now, monotonic: now }, timers });
  const ask = async (path: string): Promise<PaperAnswer> => {
    const answer = await simulator.app.request(`${BASE}${path}`);
    if (!answer.ok) return { status: answer.status };
    const body = new Uint8Array(await answer.arrayBuffer());
    return { body, type: answer.headers.get('content-type') ?? '' };
  };
  page = await vendorWatch(type, ask, { base: `${BASE}${VENDORS[type].path}`, start });
  const judge = createJudge(type, (await loadPageType(type)).limits, page, simulator.status);
  await page.look();
  judge.afterLook(true);
  const story = runScenario(simulator, scenario);
  while (story.advance()) {
    await page.look();
    judge.afterLook(simulator.log.all().at(-1)?.status === 200);
  }
  await quiet(page, judge);
  return heard(page);
}

const names = readdirSync(REPLAYS).map((file) => file.replace(/\.json$/, ''));

describe.each(TYPES)('as %s', (type) => {
  for (const [index, name] of names.entries()) {
    it.runIf(isTried(TYPES.indexOf(type), index, 8))(`replays ${name}`, { timeout: 120_000 }, async () => {
      expect(await replayed(name, type)).toMatchSnapshot();
    });
  }

  it('plays the story of the demonstration', async ({ skip }) => {
    skip(!isTried(TYPES.indexOf(type), 0, 3));
    expect(await told(type)).toMatchSnapshot();
  });
});
