/** The story of the demonstration, told to the real daemon over real HTTP on a clock the test moves. */
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { CARRIER, demoConfig, PAGE } from '../../src/cli/demo-setup.ts';
import { createDemoStory, type DemoStory } from '../../src/cli/demo-story.ts';
import { clientOfAccount, readerOfPage, watchedAccount, watchedPage } from '../../src/daemon/assemble.ts';
import { createDaemon, type Daemon } from '../../src/daemon/daemon.ts';
import { accountReader } from '../../src/daemon/account-reader.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { createConnections } from '../../src/net/agents.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { loadScenario } from '../../src/simulator/scenario/run-scenario.ts';
import { SimulatorError } from '../../src/simulator/simulator-error.ts';
import { manualClock } from '../support/manual-clock.ts';
import { cases } from '../support/runs.ts';
import { everyone, memoryDocuments, recordingReceiver, surprisesOf } from '../support/running-daemon.ts';

const storyIn = (file: string) =>
  loadScenario(fileURLToPath(new URL(`../../config/scenarios/${file}`, import.meta.url)));
const [SCENARIO, CUT] = [storyIn('demo.yaml'), storyIn('demo-carrier.yaml')];
const SECOND = 1_000;
const START = Date.parse('2026-03-02T09:00:00.000Z');

/** How long things take; by default no time. */
interface Pace {
  speed?: number;
  /** Milliseconds until a source has answered its `count`th question. */
  answer?: (source: string, count: number) => number;
  /** Milliseconds until the receiver has taken a message. */
  receive?: number;
  /** Called after each step. */
  advanced?: (count: number) => void;
}

interface Stage {
  /** What people were told, in order. */
  told: string[];
  story: DemoStory;
  daemon: Daemon;
  performed: () => number;
  elapsed: () => number;
  /** Lets time pass until this has come to its end. */
  play: (end: Promise<unknown>) => Promise<void>;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function stage({ speed = 1, answer = () => 0, receive = 0, advanced }: Pace): Promise<Stage> {
  const clock = manualClock(START);
  const stop = new AbortController();
  const provider = await startProvider({ scenario: SCENARIO, startStory: false, clock: { now: clock.now } });
  const carrier = await startProvider({
    as: 'statuspage',
    scenario: CUT,
    startStory: false,
    clock: { now: clock.now },
  });
  const { statusUrl, accountUrl, token } = provider;
  const config = demoConfig({
    statusUrl,
    carrierUrl: carrier.statusUrl,
    accountUrl,
    token,
    stateDir: '/nowhere',
    timezone: 'UTC',
  });
  const limiter = createLimiter({ requestsPerSecond: 5, windowMs: 1 });
  const connections = createConnections();
  const surprises = surprisesOf();
  const { log } = surprises;
  const limiters = { page: () => limiter, vendorPage: () => limiter, account: () => limiter };
  const wiring = { config, limiters, userAgent: 'test', connections, clock, log };
  const accounts = config.accounts.map((account) => ({
    ...watchedAccount(account, config),
    client: clientOfAccount(account, wiring),
  }));
  /** Questions that are under way in real time. */
  let asking = 0;
  let performed = 0;
  const told: string[] = [];

  function slow<R extends object>(reader: R, source: string): R {
    let count = 0;
    async function ask(question: () => Promise<unknown>): Promise<unknown> {
      count += 1;
      const takes = answer(source, count);
      await clock.sleep(takes / 2, stop.signal);
      asking += 1;
      const answered = await question().finally(() => (asking -= 1));
      await clock.sleep(takes / 2, stop.signal);
      return answered;
    }
    const slowed = Object.entries(reader).map(([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) =>
      name === 'restMs' ? [name, method] : [name, (...args: unknown[]) => ask(() => method(...args))],
    );
    return Object.fromEntries(slowed) as R;
  }

  const actOn = (page: string, { steps }: typeof SCENARIO, on: typeof provider) => ({
    page,
    steps,
    advance: () => {
      on.story?.advance();
      performed += 1;
      advanced?.(performed);
    },
  });
  const story = createDemoStory({
    acts: [actOn(PAGE, SCENARIO, provider), actOn(CARRIER, CUT, carrier)],
    speed,
    clock,
    daemon: () => daemon,
  });
  const people = recordingReceiver('people', 'people');
  const daemon = await createDaemon({
    pages: await Promise.all(
      config.statusPages.map(async (page) => ({
        ...watchedPage(page),
        reader: slow(await readerOfPage(page, wiring), page.name),
      })),
    ),
    accounts: accounts.map(({ client: of, ...account }) => ({
      ...account,
      reader: slow(accountReader(of), account.name),
    })),
    receivers: [
      {
        ...people,
        async send(messages, signal) {
          await clock.sleep(receive, signal);
          told.push(...messages.map(headline));
          return people.send(messages, signal);
        },
      },
    ],
    route: everyone(['people']),
    overrides: [],
    digest: null,
    documents: memoryDocuments(),
    clock,
    random: () => 0.5,
    log,
    observer: story.observer,
  });
  const running = daemon.run(stop.signal);

  async function pass(end: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    end.then(
      () => over.abort(),
      () => over.abort(),
    );
    while (!over.signal.aborted) {
      // Everything that can go on without time passing does so.
      await turn();
      await turn();
      if (asking === 0) clock.advance(Math.max(0, clock.next() ?? 0));
    }
    await end;
  }

  open.push(async () => {
    stop.abort();
    await pass(running);
    connections.close();
    await provider.close();
    await carrier.close();
  });

  return {
    told,
    story,
    daemon,
    performed: () => performed,
    elapsed: () => clock.now() - START,
    async play(end) {
      await pass(end);
      surprises.rethrow();
    },
  };
}

function headline({ alert, changes }: Message): string {
  const kinds = [...new Set(changes.map(({ transition }) => transition.kind))];
  return `${alert.number === null ? '' : `#${alert.number} `}${alert.title}: ${kinds.join(', ')}`;
}

const STORY = [
  'Watching head-office: source.baseline',
  '#1 Customer Portal database upgrade: notice.opened',
  '#2 Inbound calls failing in Melbourne: notice.opened',
  '#2 37 of 59 phones offline: Richmond 13/20, Parramatta 12/20, Carlton 12/19: registration.mass',
  '#1 Customer Portal database upgrade: notice.state',
  '#2 Inbound calls failing and phones deregistering: notice.subject, notice.impact, notice.state',
  '#1 Customer Portal database upgrade: notice.closed',
  '#2 Inbound calls failing and phones deregistering: notice.state',
  '#2 Still offline: 1004 (Sam Roberts): notice.closed, outage.residual',
  '#2 Phones offline: registration.restored',
  '#3 Fibre cut in Carlton: notice.opened',
  '#3 19 of 19 phones at Carlton offline: registration.mass',
  '#3 Fibre cut in Carlton: notice.state',
  '#3 Phones at Carlton offline: registration.restored',
  '#3 Fibre cut in Carlton: notice.closed',
  'Toggle “After hours”: toggle.state',
  '#4 “After hours” is ON instead of OFF: toggle.off_schedule',
  '#4 “After hours” is ON instead of OFF: toggle.state, toggle.on_schedule',
];

const PACES: [string, Pace][] = [
  ['at once', {}],
  ['ten times as fast', { speed: 10 }],
  ['with answers that take longer than the interval', { answer: () => 700 }],
  ['with answers that take seconds', { answer: () => 5 * SECOND }],
  ['with a slow page', { answer: (source) => (source === PAGE ? 3 * SECOND : 0) }],
  ['with a slow account', { answer: (source) => (source === PAGE ? 0 : 3 * SECOND) }],
  ['with answers that stall now and then', { answer: (_source, count) => (count % 7 === 0 ? 8 * SECOND : 20) }],
  ['to a receiver that takes its time', { receive: 3 * SECOND }],
];

test.each(cases(PACES))('the story is the same, told %s', async (_how, pace) => {
  const { story, play, told } = await stage(pace);
  await play(story.tell(new AbortController().signal));
  expect(told).toEqual(STORY);
});

test('the pauses are no shorter than those of the scenario at its speed', async () => {
  const { story, play, elapsed } = await stage({ speed: 0.5 });
  await play(story.tell(new AbortController().signal));
  expect(elapsed()).toBeGreaterThanOrEqual((SCENARIO.steps.at(-1)?.at ?? 0) / 0.5);
});

test('once it is stopped nothing more of it happens', async () => {
  const stop = new AbortController();
  const { story, play, told, performed } = await stage({
    advanced: (count) => {
      if (count === 2) stop.abort();
    },
  });
  await play(story.tell(stop.signal));
  expect(performed()).toBe(2);
  expect(told.length).toBeLessThan(STORY.length);
});

test('a step that fails ends it', async () => {
  const failure = new SimulatorError('demo.yaml:1:1: close_notice: There is no notice "outage".');
  const { story, play } = await stage({
    advanced: () => {
      throw failure;
    },
  });
  await expect(play(story.tell(new AbortController().signal))).rejects.toBe(failure);
});

test('what is never told is not waited for without end', async () => {
  const stop = new AbortController();
  const { story, play, told, performed } = await stage({
    receive: Infinity,
    advanced: (count) => {
      if (count === 2) stop.abort();
    },
  });
  await play(story.tell(stop.signal));
  expect([performed(), told]).toEqual([2, []]);
});
