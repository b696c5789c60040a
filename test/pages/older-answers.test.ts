/** An answer an hour old: caches give them while the vendor's own server fails. Type by type, as far as it can be seen. */
import { describe, expect, it } from 'vitest';
import { PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { MINUTE, NOON, standIn, vendorWatch, type PaperAnswer } from './vendor-watch.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const HOUR = 60 * MINUTE;
/** Their documents say when they were made. */
const DATED: readonly VendorTypeName[] = ['statuspage', 'slack'];

/** A page that was well an hour ago, and has an open incident now, which is known. */
async function scene(type: VendorTypeName) {
  let now = (): number => NOON;
  let cached: ((path: string) => PaperAnswer | undefined) | null = null;
  const components = ['Voice', 'SMS'].map((name, index) => ({ id: 11 + index, name }));
  const world = createStatusWorld({ clock: { now: () => now() }, name: 'Carrier', components });
  world.closeNotice(world.openNotice({ subject: 'Long ago', components: ['SMS'] }));
  const { answer, base } = standIn(type, world);
  const page = await vendorWatch(type, (path) => (cached ?? answer)(path), { base, start: NOON });
  ({ now } = page);
  await page.look();
  page.pass(HOUR);
  world.touch();
  await page.look();
  const paths = [...page.asked];
  const [kept, at] = [new Map(paths.map((path) => [path, answer(path)])), page.now()];
  world.openNotice({ subject: 'No calls', components: ['Voice'] });
  await page.look();
  page.news();
  page.messages();
  return {
    page,
    world,
    /** From now on the cache answers. */
    freeze(saysAge: boolean): void {
      cached = (path) => {
        const known = kept.get(path);
        return known === undefined ? { status: 503 } : { ...known, ...(saysAge && { ageMs: page.now() - at }) };
      };
    },
    thaw: () => void (cached = null),
    openNotices: () => (page.watch.state.snapshot.notices ?? []).filter(({ closedAt }) => closedAt === null).length,
  };
}

describe.each(TYPES)('%s', (type) => {
  it.each(DATED.includes(type) ? [true, false] : [true])(
    'ends nothing, and is told once, where the cache says its age: %s',
    async (saysAge) => {
      const { page, freeze, thaw, openNotices } = await scene(type);
      // Young answers of a cache are as good as any.
      if (saysAge) page.pass(5 * MINUTE);
      freeze(saysAge);
      for (let passed = 0; passed < HOUR; passed += MINUTE) await page.look();
      expect(page.news()).toEqual([expect.stringMatching(/^source.unreachable /)]);
      expect(page.messages()).toMatchObject([{ kinds: ['source.unreachable'] }]);
      expect(openNotices()).toBe(1);
      thaw();
      await page.look();
      expect(page.news()).toEqual(['source.recovered source null']);
      expect(openNotices()).toBe(1);
    },
  );

  it('believes an old answer of a cache where none was newer, and what lasts longer than caches answer for', async () => {
    const { page, world, freeze } = await scene(type);
    page.pass(5 * MINUTE);
    freeze(true);
    for (let passed = 0; passed < 3 * HOUR; passed += MINUTE) await page.look();
    expect(page.news().filter((each) => each.startsWith('source.'))).toEqual([
      expect.stringMatching(/^source.unreachable /),
      'source.recovered source null',
    ]);
    world.openNotice({ subject: 'Not seen', components: ['SMS'] });
    page.restart();
    await page.look();
    expect(page.news().filter((each) => each.startsWith('source.'))).toEqual([]);
  });
});
