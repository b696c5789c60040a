/** Another page under an address, and a vendor who moves: every id is new at once. Type by type, and what is no such thing. */
import { describe, expect, it } from 'vitest';
import { PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import type { VendorWorld } from '../../src/simulator/vendors/vendor-world.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { isTried } from '../support/runs.ts';
import { MINUTE, NOON, standIn, vendorWatch, withOtherIds, type VendorWatch } from './vendor-watch.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const HOUR = 60 * MINUTE;
/** They list what is open and nothing else. */
const OPEN_ONLY: readonly VendorTypeName[] = ['statuscast', 'slack'];
interface Scene {
  world: StatusWorld;
  page: VendorWatch;
  /** From now on. */
  show(as: (world: VendorWorld) => VendorWorld): void;
  /** Looks for so long, minute by minute. */
  looks(ms: number): Promise<void>;
  openAlerts(): number;
}

/** Two incidents are open, and one was the day before. */
async function scene(type: VendorTypeName): Promise<Scene> {
  let now = (): number => NOON;
  let shown = (own: VendorWorld): VendorWorld => own;
  const components = ['Voice', 'SMS', 'Fax'].map((name, index) => ({ id: 11 + index, name }));
  const world = createStatusWorld({ clock: { now: () => now() }, name: 'Carrier', components });
  world.closeNotice(world.openNotice({ subject: 'Long ago', components: ['Fax'] }));
  const { answer, base } = standIn(type, world, (own) => shown(own));
  const page = await vendorWatch(type, answer, { base, start: NOON });
  ({ now } = page);
  page.pass(26 * HOUR);
  await page.look();
  world.openNotice({ subject: 'No calls', components: ['Voice'] });
  await page.look();
  world.openNotice({ subject: 'Slow texts', components: ['SMS'] });
  await page.look();
  page.news();
  page.messages();
  return {
    world,
    page,
    show: (as) => void (shown = as),
    async looks(ms) {
      for (let passed = 0; passed < ms; passed += MINUTE) await page.look();
    },
    openAlerts: () =>
      page.watch.state.alerts.filter(({ family, status }) => family === 'notice' && status === 'open').length,
  };
}

/** The newest of what is open is gone. */
const withoutTheNewest = (world: VendorWorld): VendorWorld => ({
  ...world,
  notices: world.notices.filter(({ subject }) => subject !== 'Slow texts'),
});

function openingsAmong(news: readonly string[]): string[] {
  return news
    .map((each) => each.replace(/ .*/, ''))
    .filter((kind) => !/^(component|page)|closed|withdrawn|unlisted/.test(kind));
}

describe.each(TYPES)('%s', (type) => {
  const row = TYPES.indexOf(type);

  it.runIf(isTried(row, 0, 3))(
    'is blind and told once where every id is new, with nothing over and nothing withdrawn, until they are back',
    async () => {
      const { page, world, show, looks, openAlerts } = await scene(type);
      show(withOtherIds);
      await looks(HOUR);
      expect(page.news()).toEqual([expect.stringMatching(/^source.changed /)]);
      expect(page.messages()).toMatchObject([{ kinds: ['source.changed'], status: 'open', severity: 'warning' }]);
      expect(openAlerts()).toBe(2);
      // Once it is known to be another, what comes and goes there says nothing.
      for (const { id } of world.documents().notices) world.closeNotice(id);
      world.openNotice({ subject: 'Of the new system', components: ['Fax'] });
      await looks(HOUR);
      expect(page.news()).toEqual([]);
      page.restart();
      await looks(HOUR);
      expect([page.news(), openAlerts()]).toEqual([[], 2]);
      show((own) => own);
      await page.look();
      if (!OPEN_ONLY.includes(type)) expect(page.news()).toContainEqual(expect.stringMatching(/^source.changed /));
    },
  );

  it.runIf(isTried(row, 1, 3))('is blind where one was open, and what else it shows has other ids, too', async () => {
    const { page, show, looks, openAlerts, world } = await scene(type);
    world.closeNotice(world.latestNotice() ?? 0);
    await looks(17 * MINUTE);
    page.news();
    const known = openAlerts();
    show((own) => withOtherIds(withoutTheNewest(own)));
    await looks(HOUR);
    // Of one alone nobody can say whether it was published anew.
    if (type === 'statuscast') expect(page.news()).toContainEqual(expect.stringMatching(/^notice.opened /));
    else expect([page.news(), openAlerts()]).toEqual([[expect.stringMatching(/^source.changed /)], known]);
  });

  it.runIf(isTried(row, 2, 3))('is the same page where all that was open ends and something else opens', async () => {
    const { world, page, looks } = await scene(type);
    for (const { id, subject } of world.documents().notices) if (subject !== 'Long ago') world.closeNotice(id);
    world.openNotice({ subject: 'No calls', components: ['Fax'] });
    world.openNotice({ subject: 'Slow texts', components: ['Fax'] });
    await looks(HOUR);
    expect(openingsAmong(page.news())).toEqual(['notice.opened', 'notice.opened']);
  });

  it.runIf(isTried(row, 3, 3))('is the same page where all that was open is deleted and published anew', async () => {
    const { world, page, looks } = await scene(type);
    for (const { id, subject } of world.documents().notices) if (subject !== 'Long ago') world.withdrawNotice(id);
    world.openNotice({ subject: 'No calls', components: ['Voice'] });
    world.openNotice({ subject: 'Slow texts', components: ['SMS'] });
    await looks(HOUR);
    expect(openingsAmong(page.news())).toEqual(['notice.opened', 'notice.opened']);
  });
});

/** The answer with the page's own id, or address, in the place of which another stands. */
const OWN_ID: readonly (readonly [VendorTypeName, string, string, boolean])[] = [
  ['statuspage', '"id":"kctbh9vrtdwd"', '"id":"another"', true],
  ['betterstack', '"data":{"id":"1"', '"data":{"id":"another"', true],
  // An address may change: what is known there still stands there.
  ['instatus', '"url":"https://status.example.com","status"', '"url":"https://another.example","status"', false],
];

it.each(OWN_ID)('%s: %s that is %s', async (type, own, other, isAnother) => {
  let isChanged = false;
  const world = createStatusWorld({ clock: { now: () => NOON }, components: [{ id: 11, name: 'Voice' }] });
  const { answer, base } = standIn(type, world);
  const page = await vendorWatch(
    type,
    (path) => {
      const shown = answer(path);
      if (shown === undefined || !('json' in shown)) return shown;
      const text = JSON.stringify(shown.json);
      if (path === page.asked[0]) expect(text).toContain(own);
      return { json: JSON.parse(isChanged ? text.replace(own, other) : text) as unknown };
    },
    { base },
  );
  await page.look();
  page.news();
  isChanged = true;
  await page.look();
  await page.look();
  expect(page.news().map((each) => each.replace(/ .*/, ''))).toEqual(isAnother ? ['source.changed'] : []);
});
