/** The end of a notice in whose alert phones were lost, in virtual time: people read of it together with what is left. */
import { afterEach, expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import type { Listing, Miss } from '../../src/core/observation/listing.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { missed, SETTINGS } from '../core/account/paper-town.ts';
import {
  MINUTE,
  paperDisk,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

const NEVER = new AbortController().signal;
const EXTENSIONS = Array.from({ length: 12 }, (_, index) => String(101 + index));

interface Scene {
  world: StatusWorld;
  clock: ReturnType<typeof virtualClock>;
  people: PaperReceiver;
  pager: PaperReceiver;
  programs: PaperReceiver;
  /** Not registered, in every account. */
  lost: Set<string>;
  /** What the accounts answer in place of anything. */
  instead: Miss | null;
  /** How long what is known of the page takes to be saved. */
  savingTakes: number;
  running: PaperDaemon;
  close(): void;
  restart(): Promise<void>;
}

const running: Scene[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.running.stop();
});

/** The provider has a notice, and in its alert all phones of all accounts are lost. */
async function trouble(accounts = 1, everyMs = MINUTE): Promise<Scene> {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  const pager = { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true };
  const lost = new Set<string>();
  const disk = paperDisk();
  let notice = 0;

  function account(index: number): WatchedAccount {
    const seen = <T>(items: T[]): Promise<Listing<T>> =>
      Promise.resolve(scene.instead ?? { kind: 'observed', items, defects: [], missing: null });
    const registered = (extension: string): Registered => ({
      extension,
      contacts: [{ protocol: 'UDP', address: `203.0.113.${100 + index}`, device: null }],
    });
    return {
      name: `customer-${index}`,
      baseUrl: `https://api.example.test/${index}`,
      reader: {
        registrations: () => seen(EXTENSIONS.filter((extension) => !lost.has(extension)).map(registered)),
        extensions: () => seen(EXTENSIONS.map((number) => ({ id: number, number, name: `Desk ${number}` }))),
        toggles: () => seen([]),
        restMs: () => 0,
      },
      registrationsEveryMs: everyMs,
      togglesEveryMs: everyMs,
      unreachableAfterMs: 10 * MINUTE,
      settings: SETTINGS,
      page: 'provider',
      labels: {},
    };
  }
  const start = (): Promise<PaperDaemon> =>
    startPaperDaemon({
      source: world,
      receivers: [people, pager, programs],
      clock,
      disk,
      pass: async (where) => {
        if (where === 'saving source provider') await clock.sleep(scene.savingTakes, NEVER);
      },
      options: { accounts: Array.from({ length: accounts }, (_, index) => account(index)) },
    });

  const scene: Scene = {
    world,
    clock,
    people,
    pager,
    programs,
    lost,
    instead: null,
    savingTakes: 0,
    running: undefined as unknown as PaperDaemon,
    close: () => world.closeNotice(notice),
    async restart() {
      await scene.running.stop();
      scene.running = await start();
    },
  };
  scene.running = await start();
  running.push(scene);
  await scene.running.pass(3 * MINUTE);
  notice = world.openNotice({ subject: 'Registrations fail', components: ['Trunks'] });
  await scene.running.pass(MINUTE);
  for (const extension of EXTENSIONS) lost.add(extension);
  await scene.running.pass(10 * MINUTE);
  for (const receiver of [people, pager, programs]) receiver.calls.length = 0;
  return scene;
}

/** Each message with when it was sent, counted from when the first of its changes happened. */
function told({ calls }: PaperReceiver) {
  return calls.flatMap(({ at, messages }) =>
    messages.map((message) => {
      const { headline, words } = composeContent(message, {
        timezone: 'UTC',
        instance: 'hq',
        externalUrl: null,
        now: at,
      });
      return {
        after: at - (message.changes[0]?.transition.at ?? 0),
        headline,
        words: words.map(({ text }) => text),
        kinds: message.changes.map(({ transition }) => transition.kind),
        ended: message.alert.resolvedAt !== null,
      };
    }),
  );
}

function events(scene: Scene): string[] {
  return scene.programs.calls.flatMap(({ messages }) =>
    messages.flatMap(({ changes }) => changes.map(({ transition, status }) => `${transition.kind} ${status}`)),
  );
}

test('phones that stay lost lead the message, and the provider’s end is in it; programs and pagers hear each at once', async () => {
  const scene = await trouble();
  for (const extension of EXTENSIONS) if (extension !== '104') scene.lost.delete(extension);
  scene.close();
  await scene.running.pass(5 * MINUTE);
  expect(told(scene.people)).toMatchObject([
    {
      headline: '1 of your 12 phones at 203.0.113.100 is still offline: 104 (Desk 104) — the provider says it is over',
      words: ['This incident has been resolved.'],
      kinds: ['notice.closed', 'registration.restored', 'outage.residual'],
      ended: false,
    },
  ]);
  expect(told(scene.people)[0]?.after).toBeLessThanOrEqual(65 * SECOND);
  expect(events(scene)).toEqual([
    'notice.closed update',
    'page.state update',
    'component.state update',
    'registration.restored update',
    'outage.residual update',
  ]);
  for (const receiver of [scene.pager, scene.programs]) {
    expect(told(receiver).map(({ after }) => after)).toEqual(told(receiver).map(() => 0));
  }
  expect(told(scene.pager).map(({ kinds }) => kinds)).toEqual([
    ['notice.closed'],
    ['registration.restored', 'outage.residual'],
  ]);
});

test('while the provider’s end is being saved no account knows of it: it is told together with what is left all the same', async () => {
  const scene = await trouble(1, 40 * SECOND);
  scene.lost.delete('101');
  // The page is read after 30 seconds, and the account after 40.
  scene.savingTakes = 15 * SECOND;
  scene.close();
  await scene.running.pass(5 * MINUTE);
  expect(told(scene.people)).toMatchObject([{ kinds: expect.arrayContaining(['notice.closed', 'outage.residual']) }]);
});

test('phones that are all back when the provider says so are one message, which ends the alert', async () => {
  const scene = await trouble();
  scene.lost.clear();
  scene.close();
  await scene.running.pass(5 * MINUTE);
  expect(told(scene.people)).toMatchObject([
    {
      headline: expect.stringMatching(
        /^All 12 phones at 203.0.113.100 are online again — after 10 min; provider: resolved$/,
      ),
      kinds: ['notice.closed', 'registration.restored'],
      ended: true,
    },
  ]);
  expect(told(scene.people)[0]?.after).toBeLessThanOrEqual(65 * SECOND);
});

test('phones that are back before the provider says so are told at once, and then its end at once', async () => {
  const scene = await trouble();
  scene.lost.clear();
  await scene.running.pass(5 * MINUTE);
  scene.close();
  await scene.running.pass(5 * MINUTE);
  expect(told(scene.people).map(({ after, kinds, ended }) => ({ after, kinds, ended }))).toEqual([
    { after: 0, kinds: ['registration.restored'], ended: false },
    { after: 0, kinds: ['notice.closed'], ended: true },
  ]);
});

test('an account that cannot be read holds the provider’s end for 90 seconds at most', async () => {
  const scene = await trouble();
  scene.instead = missed('timeout');
  scene.close();
  await scene.running.pass(5 * MINUTE);
  expect(told(scene.people)).toMatchObject([{ kinds: ['notice.closed'], after: 90 * SECOND, ended: false }]);
});

test('accounts that gather at the full minute hold it no longer', async () => {
  const scene = await trouble(4);
  await scene.running.pass(20 * SECOND);
  for (const extension of EXTENSIONS) if (extension !== '104') scene.lost.delete(extension);
  scene.close();
  await scene.running.pass(5 * MINUTE);
  const messages = told(scene.people);
  const [first] = messages;
  expect(first?.kinds).toEqual(expect.arrayContaining(['notice.closed', 'outage.residual']));
  expect(first?.after).toBeLessThanOrEqual(90 * SECOND);
  expect(messages.slice(1).flatMap(({ kinds }) => kinds)).not.toContain('notice.closed');
  expect(messages.length).toBeLessThanOrEqual(2);
});

test('what waits outlives a restart', async () => {
  const scene = await trouble();
  for (const extension of EXTENSIONS) if (extension !== '104') scene.lost.delete(extension);
  scene.close();
  for (let waited = 0; events(scene).length === 0; waited += SECOND) {
    expect(waited).toBeLessThan(MINUTE);
    await scene.running.pass(SECOND);
  }
  expect(told(scene.people)).toEqual([]);
  await scene.restart();
  await scene.running.pass(5 * MINUTE);
  expect(told(scene.people).map(({ kinds }) => kinds)).toEqual([
    ['notice.closed', 'registration.restored', 'outage.residual'],
  ]);
});
