/** One customer never reads of another: not when a source is taken out of the watch, and not in the digest. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import type { Matchers } from '../../src/core/alert/matchers.ts';
import { createRouteTo, type Route } from '../../src/core/alert/route.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import { createDaemonStatusReader } from '../../src/daemon/status/status-reader.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import {
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { quietLog } from '../support/running-daemon.ts';

const COMPONENTS = [{ id: 1, name: 'Trunks' }];
const DUE = { at: '12:00', days: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC' };
const TEN = Array.from({ length: 10 }, (_, index) => String(100 + index));

const below = (matchers: Matchers, ...receivers: string[]): Route => ({ ...createRouteTo(receivers), matchers });
const BETA_APART = [below({ customer: ['beta'] }, 'beta-mail', 'beta-hook')];

const begun: PaperDaemon[] = [];
afterEach(async () => {
  for (const running of begun.splice(0)) await running.stop();
});

function begin(routes: readonly Route[] = BETA_APART) {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: COMPONENTS });
  const receivers = {
    acme: paperReceiver('acme-mail', 'people'),
    acmeHook: paperReceiver('acme-hook', 'programs'),
    beta: paperReceiver('beta-mail', 'people'),
    betaHook: paperReceiver('beta-hook', 'programs'),
  };
  const disk = paperDisk();
  const lost = new Set<string>();

  function account(name: string, path = ''): WatchedAccount {
    const listing = <T>(items: T[]): Promise<Listing<T>> =>
      Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
    const contacts = [{ protocol: 'UDP' as const, address: '203.0.113.7', device: null }];
    return {
      name,
      baseUrl: `https://api.${name}.example.test${path}`,
      reader: {
        registrations: () =>
          listing(lost.has(name) ? [] : TEN.map((extension): Registered => ({ extension, contacts }))),
        extensions: () => listing(TEN.map((number) => ({ id: number, number, name: `Desk ${number}` }))),
        toggles: () => listing([]),
        restMs: () => 0,
      },
      registrationsEveryMs: MINUTE,
      togglesEveryMs: HOUR,
      unreachableAfterMs: 5 * MINUTE,
      settings: { ...SETTINGS, customer: `${name} Ltd` },
      page: 'provider',
      labels: { customer: name },
    };
  }

  /** Until it is begun again: a reload is the end of one daemon and the beginning of the next. */
  async function watch(
    accounts: readonly WatchedAccount[],
    there: readonly PaperReceiver[] = Object.values(receivers),
  ): Promise<PaperDaemon> {
    await begun.pop()?.stop();
    const config = { instance: 'hq', timezone: 'UTC', statusPages: [], accounts: [] };
    const reading = ({ lastReadAt }: { lastReadAt: number | null }) => ({ lastReadAt, unreadMs: 0 });
    const { status } = createDaemonStatusReader(() => ({
      config,
      daemon: running.daemon,
      reading,
      clock,
      startedAt: START,
      log: quietLog,
    }));
    const running: PaperDaemon = await startPaperDaemon({
      source: world,
      receivers: there,
      clock,
      disk,
      route: { receivers: ['acme-mail', 'acme-hook'], routes },
      options: { accounts, digest: { due: DUE, status } },
    });
    begun.push(running);
    await running.pass(3 * MINUTE);
    return running;
  }

  return { account, watch, lost, world, ...receivers };
}

type Scene = ReturnType<typeof begin>;

/** Beta has lost all phones, and those who are to be told of it are. */
async function betaDown(scene: Scene): Promise<void> {
  const { account, watch, lost } = scene;
  const running = await watch([account('acme'), account('beta')]);
  lost.add('beta');
  await running.pass(10 * MINUTE);
}

const all = ({ acme, acmeHook, beta, betaHook }: Scene): PaperReceiver[] => [acme, acmeHook, beta, betaHook];

function endings({ taken }: PaperReceiver): string[] {
  return taken.flatMap(({ alert, changes }) =>
    changes.flatMap(({ transition }) =>
      transition.kind === 'linewatch.config' ? [`${alert.title} · ${transition.to}`] : [],
    ),
  );
}

const LOSS = 'beta Ltd: 10 of 10 phones at Richmond offline';

describe('the alert of a source that is no longer watched', () => {
  test('ends for those who were told of it, people and programs, and for nobody else', async () => {
    const scene = begin();
    await betaDown(scene);
    await scene.watch([scene.account('acme')]);
    const ending = expect.stringMatching(`^${LOSS}.* · beta is no longer watched$`);
    expect(all(scene).map(endings)).toEqual([[], [], [ending], [ending]]);
    expect(JSON.stringify([scene.acme.taken, scene.acmeHook.taken])).not.toContain('beta');
  });

  test('at its address, the same', async () => {
    const scene = begin();
    await betaDown(scene);
    await scene.watch([scene.account('acme'), scene.account('beta', '/other')]);
    const ending = expect.stringContaining('beta is no longer watched at https://api.beta.example.test');
    expect(all(scene).map(endings)).toEqual([[], [], [ending], [ending]]);
  });

  test('ends for the receivers of the root where it was they who were told', async () => {
    const scene = begin();
    const running = await scene.watch([scene.account('acme'), scene.account('beta')]);
    scene.lost.add('acme');
    await running.pass(10 * MINUTE);
    await scene.watch([scene.account('beta')]);
    const ending = expect.stringContaining('acme is no longer watched');
    expect(all(scene).map(endings)).toEqual([[ending], [ending], [], []]);
  });

  test('ends without a word where nobody was told of it', async () => {
    const scene = begin([below({ customer: ['beta'] })]);
    await betaDown(scene);
    const running = await scene.watch([scene.account('acme')]);
    await running.pass(HOUR);
    expect(all(scene).map(endings)).toEqual([[], [], [], []]);
  });

  test('is nobody else’s where the receivers that were told are gone with it', async () => {
    const scene = begin();
    await betaDown(scene);
    const running = await scene.watch([scene.account('acme')], [scene.acme, scene.acmeHook]);
    await running.pass(HOUR);
    expect(all(scene).map(endings)).toEqual([[], [], [], []]);
    expect(running.daemon.removed.all()).toEqual([]);
  });
});

function digests({ taken }: PaperReceiver): { id: string; what: string; lines: string[] }[] {
  return taken.flatMap(({ changes }) =>
    changes.flatMap(({ transition: { id, kind, to, details } }) =>
      kind === 'linewatch.state'
        ? [{ id, what: to, lines: details.reason === '' ? [] : details.reason.split('\n') }]
        : [],
    ),
  );
}

const what = (receiver: PaperReceiver): string[] => digests(receiver).map((one) => one.what);

describe('the digest', () => {
  test('says nothing of the phones of a customer whose alerts go elsewhere', async () => {
    const scene = begin();
    await betaDown(scene);
    await begun.at(-1)?.pass(4 * HOUR);
    const apart = 'daily digest — watching 2 sources, nothing open, nothing ended in 24 hours';
    expect(all(scene).map(what)).toEqual([[apart], [apart], [], []]);
    expect(digests(scene.acme)).toEqual(digests(scene.acmeHook));
    expect(JSON.stringify(scene.acme.taken)).not.toContain('beta');
  });

  test('of each of several customers is of its own, and whoever hears of all reads of all', async () => {
    const ofBeta = [below({ customer: ['beta'] }, 'beta-mail', 'acme-hook')];
    const toAll = below({ source: ['linewatch'] }, 'acme-mail', 'acme-hook', 'beta-mail', 'beta-hook');
    const scene = begin([...ofBeta, toAll]);
    await betaDown(scene);
    await begun.at(-1)?.pass(4 * HOUR);
    const one = (count: string, open: string): string =>
      `daily digest — watching ${count}, ${open} open, nothing ended in 24 hours`;
    expect(all(scene).map(what)).toEqual([
      [one('2 sources', 'nothing')],
      [one('3 sources, 10 of 20 phones offline', '1')],
      [one('1 source, 10 of 10 phones offline', '1')],
      ['daily digest — Linewatch itself, nothing open, nothing ended in 24 hours'],
    ]);
    expect(digests(scene.beta)[0]?.lines.at(-1)).toContain(LOSS);
  });

  test('names no other customer in an alert that both take part in', async () => {
    const { account, watch, lost, world, ...receivers } = begin();
    const running = await watch([account('acme'), account('beta')]);
    world.openNotice({ subject: 'No calls', components: ['Trunks'] });
    for (const name of ['acme', 'beta']) lost.add(name);
    await running.pass(4 * HOUR);
    expect(what(receivers.acme)).toEqual([
      'daily digest — watching 2 sources, 10 of 10 phones offline, 1 open, nothing ended in 24 hours',
    ]);
    const lines = digests(receivers.acme)[0]?.lines ?? [];
    expect(lines.at(-1)).toContain('acme Ltd: 10 of 10 phones');
    expect(lines.join(' ')).not.toMatch(/beta|more loss|customers/);
  });

  test('is one, the same for all, where no route asks for a source', async () => {
    const scene = begin([
      { ...below({ severity: ['critical'] }, 'acme-mail', 'beta-mail'), continue: true },
      below({}, 'acme-mail', 'acme-hook'),
    ]);
    await betaDown(scene);
    await begun.at(-1)?.pass(4 * HOUR);
    const whole = 'daily digest — watching 3 sources, 10 of 20 phones offline, 1 open, nothing ended in 24 hours';
    expect(all(scene).map(what)).toEqual([[whole], [whole], [], []]);
    expect(digests(scene.acme)).toEqual(digests(scene.acmeHook));
  });
});

test('an event has the parts of the sources that its receiver reads of, and of no other', async () => {
  const { account, watch, lost, world, ...receivers } = begin();
  const running = await watch([account('acme'), account('beta')]);
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  for (const name of ['acme', 'beta']) lost.add(name);
  await running.pass(HOUR);
  const partsOf = ({ taken }: PaperReceiver) => {
    const losses = taken.filter(({ changes }) =>
      changes.some(({ transition }) => transition.kind === 'registration.mass'),
    );
    expect(losses).not.toEqual([]);
    return [...new Set(losses.flatMap(({ facts }) => facts?.parts.map(({ source }) => source) ?? []))].toSorted();
  };
  expect(partsOf(receivers.acmeHook)).toEqual(['acme', 'provider']);
  expect(partsOf(receivers.betaHook)).toEqual(['beta']);
  const [loss] = receivers.betaHook.taken.flatMap(({ facts }) => facts?.parts ?? []);
  expect(loss).toMatchObject({ customer: 'beta Ltd', phase: 'explained', phones: { total: 10, down: 10 } });
  expect(receivers.betaHook.taken.at(-1)?.facts).toMatchObject({ because: { kind: 'explained' }, mergedInto: null });
});
