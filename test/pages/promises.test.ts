/** What is promised of every vendor's page, promise by promise and type by type, as far as the type shows it. */
import { describe, expect, it } from 'vitest';
import { loadPageType, PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import type { PageLimits } from '../../src/pages/vendor-page.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { cases, isTried } from '../support/runs.ts';
import { MINUTE, NOON, standIn, vendorWatch, type PaperAnswer, type VendorWatch } from './vendor-watch.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const HOUR = 60 * MINUTE;
const OWN_WORD: readonly VendorTypeName[] = ['statuspage', 'instatus', 'betterstack', 'statusio', 'statuscast'];
/** What is over is to be seen, so that what is gone was deleted. */
const SHOWS_DELETIONS: readonly VendorTypeName[] = ['statuspage', 'slack', 'google-cloud'];

interface Scene {
  world: StatusWorld;
  page: VendorWatch;
  /** Looks for so long, minute by minute, and says what was told of notices. */
  news(ms: number): Promise<string[]>;
}

async function scene(type: VendorTypeName, bend = (answer: PaperAnswer): PaperAnswer => answer): Promise<Scene> {
  let now = (): number => NOON;
  const components = ['Voice', 'SMS', 'Fax', 'Portal'].map((name, index) => ({ id: 11 + index, name }));
  const world = createStatusWorld({ clock: { now: () => now() }, name: 'Carrier', components });
  // What was long ago: a page has a history.
  const old = world.openNotice({ subject: 'Long ago', components: ['Fax'] });
  world.closeNotice(old);
  const { answer, base } = standIn(type, world);
  const bent = (path: string): PaperAnswer | undefined => {
    const real = answer(path);
    return real === undefined ? undefined : bend(real);
  };
  const page = await vendorWatch(type, bent, { base, start: NOON });
  ({ now } = page);
  page.pass(26 * HOUR);
  await page.look();
  page.news();
  page.messages();
  async function news(ms: number): Promise<string[]> {
    page.news();
    for (let passed = 0; passed < ms; passed += MINUTE) await page.look();
    return page.news().filter((each) => each.startsWith('notice.'));
  }
  return { world, page, news };
}

function alertsOf({ watch }: VendorWatch): string[] {
  return watch.state.alerts.filter(({ family }) => family === 'notice').map(({ status }) => status);
}

const LIMITED = await Promise.all(TYPES.map(async (type) => ({ type, limits: (await loadPageType(type)).limits })));

/** Every third of the types that can show what a promise is about; another third for the next promise. */
function isShown(
  type: VendorTypeName,
  nth: number,
  by: (limits: PageLimits, type: VendorTypeName) => boolean = () => true,
): boolean {
  const able = LIMITED.filter((one) => by(one.limits, one.type)).map((one) => one.type);
  return able.includes(type) && isTried(able.indexOf(type), nth, 3);
}

const showsUnlisted = ({ components }: PageLimits, type: VendorTypeName): boolean =>
  components && !SHOWS_DELETIONS.includes(type);

describe.each(TYPES)('%s', (type) => {
  it.runIf(isShown(type, 0))(
    'takes what has left its lists for deleted only where the past is shown, and else for no longer listed',
    async () => {
      const { world, page, news } = await scene(type);
      const id = world.openNotice({ subject: 'No calls', components: ['Voice'] });
      await page.look();
      world.withdrawNotice(id);
      if (SHOWS_DELETIONS.includes(type)) {
        const told = await news(4 * MINUTE);
        expect(told).toEqual([expect.stringMatching(/^notice.withdrawn /)]);
        return;
      }
      expect(await news(14 * MINUTE)).toEqual([]);
      expect(alertsOf(page)).toEqual(['open']);
      expect(await news(3 * MINUTE)).toEqual([expect.stringMatching(/^notice.unlisted /)]);
      // A feed says nothing of the page as a whole: nobody can say that all is well.
      expect(alertsOf(page)).toEqual([type === 'feed' ? 'open' : 'resolved']);
      expect(await news(HOUR)).toEqual([]);
    },
  );

  it.runIf(isShown(type, 1, showsUnlisted))(
    'keeps what is no longer listed open while not all is well, says so once, and ends it with the rest',
    async () => {
      const { world, page, news } = await scene(type);
      const id = world.openNotice({ subject: 'No calls', components: ['Voice'] });
      await page.look();
      world.withdrawNotice(id);
      world.setComponentState('Voice', 'degraded');
      expect(await news(30 * MINUTE)).toEqual([expect.stringMatching(/^notice.unlisted /)]);
      expect(alertsOf(page)).toEqual(['open']);
      await news(5 * HOUR);
      world.setComponentState('Voice', null);
      await news(2 * MINUTE);
      expect(alertsOf(page)).toEqual(['resolved']);
      const absences = page.watch.transitions.flatMap(({ kind, details }) =>
        kind === 'notice.unlisted' && 'milliseconds' in details
          ? [Math.round(Number(details.milliseconds) / HOUR)]
          : [],
      );
      expect(absences).toEqual([0, 6]);
    },
  );

  it.runIf(isShown(type, 2, showsUnlisted))(
    'keeps what is no longer listed open while a component that it hit before is not well',
    async () => {
      const { world, page, news } = await scene(type);
      world.setComponentState('Voice', 'degraded');
      const id = world.openNotice({ subject: 'No calls', components: ['Voice'] });
      await page.look();
      world.updateNotice(id, { components: ['SMS'] });
      await page.look();
      world.withdrawNotice(id);
      await news(30 * MINUTE);
      expect(alertsOf(page)).toEqual(['open']);
      world.setComponentState('Voice', null);
      await news(2 * MINUTE);
      expect(alertsOf(page)).toEqual(['resolved']);
    },
  );

  it.runIf(isShown(type, 3))('makes no notice of an indicator alone', async () => {
    const { world, page } = await scene(type);
    world.setPageState('degraded');
    await page.look();
    await page.look();
    expect(page.news()).toEqual(OWN_WORD.includes(type) ? ['page.state page degraded'] : []);
    expect(page.messages().filter(({ severity }) => severity === 'critical')).toEqual([]);
  });

  it.runIf(isShown(type, 4))('makes no all-clear of an indicator or of components', async () => {
    const { world, page } = await scene(type);
    world.openNotice({ subject: 'No calls', components: ['Voice'] });
    await page.look();
    world.setPageState('operational');
    for (const name of ['Voice', 'SMS', 'Fax', 'Portal']) world.setComponentState(name, 'operational');
    for (let minute = 0; minute < 30; minute += 1) await page.look();
    expect(alertsOf(page)).toEqual(['open']);
  });

  it.runIf(isShown(type, 5))(
    'tells what is first seen when it is watched as recovering, where that is to be seen',
    async () => {
      const { world, news } = await scene(type);
      world.openNotice({ subject: 'No calls', components: ['Voice'], state: 'recovering' });
      const state = type === 'slack' || type === 'aws' ? 'investigating' : 'recovering';
      expect(await news(2 * MINUTE)).toEqual([expect.stringMatching(`^notice.opened .* ${state}$`)]);
    },
  );

  it.runIf(isShown(type, 6, ({ ends }) => ends !== 'absence'))(
    'reopens nothing for what is written after the end, and tells a rewritten text as edited',
    async () => {
      const { world, page, news } = await scene(type);
      const id = world.openNotice({ subject: 'No calls', components: ['Voice'] });
      await page.look();
      world.closeNotice(id);
      await page.look();
      expect(alertsOf(page)).toEqual(['resolved']);
      world.appendReview(id, 'What went wrong.');
      expect(await news(12 * MINUTE)).toEqual([expect.stringMatching(/^notice.update .* resolved$/)]);
      world.editUpdate(id, 0, 'It was worse than we said.');
      expect(await news(12 * MINUTE)).toEqual([expect.stringMatching(/^notice.edited /)]);
      expect(alertsOf(page)).toEqual(['resolved']);
    },
  );

  it.runIf(isShown(type, 7))('makes one message of four identical incidents of a monitor within a minute', async () => {
    const { world, page } = await scene(type);
    for (let count = 0; count < 4; count += 1) {
      world.openNotice({ subject: 'Trunk down', components: ['Voice'] });
      page.pass(10_000);
    }
    await page.look();
    expect(page.news().filter((each) => each.startsWith('notice.opened'))).toHaveLength(4);
    expect(page.messages().filter(({ kinds }) => kinds.includes('notice.opened'))).toHaveLength(1);
  });

  it.runIf(isShown(type, 8, ({ maintenance }) => maintenance))(
    'begins planned work when it begins, reminds of it, and says when it is late or overruns',
    async () => {
      const { world, page, news } = await scene(type);
      const at = page.now() + 2 * HOUR;
      const id = world.scheduleMaintenance({ subject: 'Works', components: ['SMS'], beginsAt: at, endsAt: at + HOUR });
      expect(await news(MINUTE)).toEqual([expect.stringMatching(/^notice.opened .* scheduled$/)]);
      const hasWindow = type !== 'slack';
      await news(90 * MINUTE);
      const kinds = (): string[] => page.watch.transitions.map(({ kind }) => kind);
      expect(kinds().includes('maintenance.reminder')).toBe(hasWindow);
      await news(29 * MINUTE);
      world.updateNotice(id, { state: 'underway', content: 'It begins.' });
      await news(2 * MINUTE);
      const known = page.watch.state.snapshot.notices?.find(({ subject }) => subject === 'Works');
      expect(known?.state).toBe('underway');
      await news(HOUR + 20 * MINUTE);
      // StatusCast says when work begins, and not when it is to end.
      expect(kinds().includes('maintenance.overrun')).toBe(hasWindow && type !== 'statuscast');
    },
  );

  it.runIf(isShown(type, 9, ({ components }) => components))(
    'is blind, and says so once, where all of its components are others',
    async () => {
      const { world, page } = await scene(type);
      world.openNotice({ subject: 'No calls', components: ['Voice'] });
      await page.look();
      page.news();
      page.messages();
      for (const name of ['Voice', 'SMS', 'Fax', 'Portal']) world.removeComponent(name);
      for (const name of ['A', 'B', 'C', 'D']) world.addComponent({ name });
      world.withdrawNotice(world.latestNotice() ?? 0);
      for (let minute = 0; minute < 30; minute += 1) await page.look();
      expect(page.news()).toEqual([expect.stringMatching(/^source.changed /)]);
      expect(page.messages()).toHaveLength(1);
      expect(alertsOf(page)).toEqual(['open']);
    },
  );
});

/** Every place of a document, as the keys that lead there. */
function* placesOf(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* placesOf(each, [...path, index]);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) yield* placesOf(each, [...path, key]);
  }
}

function withNull(value: unknown, [key, ...rest]: (string | number)[]): unknown {
  if (key === undefined) return null;
  if (Array.isArray(value)) return value.map((each: unknown, index) => (index === key ? withNull(each, rest) : each));
  if (typeof value !== 'object' || value === null) return value;
  const known = (value as Record<string, unknown>)[key];
  return known === undefined ? value : { ...value, [key]: withNull(known, rest) };
}

it.each(TYPES.filter((type) => type !== 'feed'))(
  '%s: a null anywhere ends nothing and throws nothing',
  async (type) => {
    let broken: (string | number)[] | null = null;
    const bend = (answer: PaperAnswer): PaperAnswer => {
      if (broken === null) return answer;
      const text = 'json' in answer ? null : 'body' in answer ? decoded(answer.body) : null;
      const json: unknown = 'json' in answer ? answer.json : JSON.parse(text ?? 'null');
      return { json: withNull(json, broken) };
    };
    const first = await scene(type);
    first.world.openNotice({ subject: 'No calls', components: ['Voice'] });
    const { answer } = standIn(type, first.world);
    const [path = ''] = first.page.asked;
    const shown = answer(path) ?? { json: null };
    const document: unknown = 'json' in shown ? shown.json : JSON.parse('body' in shown ? decoded(shown.body) : 'null');
    for (const place of cases([...placesOf(document)], 4, TYPES.indexOf(type))) {
      broken = null;
      const { world, page } = await scene(type, bend);
      world.openNotice({ subject: 'No calls', components: ['Voice'] });
      await page.look();
      page.news();
      // Without an end it is open: that is how Google Cloud says so.
      if (type === 'google-cloud' && place.at(-1) === 'end') continue;
      broken = place;
      await page.look();
      await page.look();
      const told = page.news().filter((each) => /^notice\.(closed|withdrawn|unlisted|opened|reopened)/.test(each));
      expect([place.join('.'), told]).toEqual([place.join('.'), []]);
      expect([place.join('.'), ...alertsOf(page).filter((status) => status === 'open')]).toEqual([
        place.join('.'),
        'open',
      ]);
    }
  },
);

function decoded(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  return new TextDecoder(body[0] === 0xfe ? 'utf-16be' : 'utf-8').decode(body);
}

it('what Better Stack does not monitor is not known to be well: what hit it and is no longer listed stays open', async () => {
  let monitored = true;
  const { world, page, news } = await scene('betterstack', (answer) => {
    if (monitored || !('json' in answer)) return answer;
    const voice = '"public_name":"Voice","status":"operational"';
    const unwatched = voice.replace('operational', 'not_monitored');
    return { ...answer, json: JSON.parse(JSON.stringify(answer.json).replace(voice, unwatched)) as object };
  });
  const withdrawn = [['Voice'], []].map((components) => world.openNotice({ subject: 'No calls', components }));
  await page.look();
  monitored = false;
  for (const id of withdrawn) world.withdrawNotice(id);
  await news(30 * MINUTE);
  // Where a notice names nothing, what is known of the rest speaks for all.
  expect(alertsOf(page)).toEqual(['open', 'resolved']);
  monitored = true;
  await news(2 * MINUTE);
  expect(alertsOf(page)).toEqual(['resolved', 'resolved']);
});
