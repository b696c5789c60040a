/** A service firm with twenty customers behind one provider: in one trouble of the provider's it is told of all together. */
import { expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import { createRouteTo } from '../../src/core/alert/route.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import { MINUTE, paperReceiver, SECOND, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

const COUNT = 20;
const EXTENSIONS = ['101', '102', '103', '104', '105'];

function customer(index: number, isUp: (extension: string) => boolean): WatchedAccount {
  const seen = <T>(items: T[]): Promise<Listing<T>> =>
    Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
  const registered = (extension: string): Registered => ({
    extension,
    contacts: [{ protocol: 'UDP', address: `203.0.113.${index + 100}`, device: null }],
  });
  return {
    name: `customer-${String(index).padStart(2, '0')}`,
    baseUrl: `https://api.example.test/${index}`,
    reader: {
      registrations: () => seen(EXTENSIONS.filter(isUp).map(registered)),
      extensions: () => seen(EXTENSIONS.map((number) => ({ id: number, number, name: `Desk ${number}` }))),
      toggles: () => seen([]),
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: MINUTE,
    unreachableAfterMs: 5 * MINUTE,
    settings: SETTINGS,
    page: 'provider',
    labels: {},
  };
}

const displayName = (source: string): string | null =>
  source === 'provider' ? null : source.replace('customer-', 'Customer ');

test('whoever was told of the trouble reads of the accounts together; who reads of one only, at once', async () => {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [firm, first] = [paperReceiver('firm', 'people'), paperReceiver('first-customer', 'people')];
  let lost = false;
  const running = await startPaperDaemon({
    source: world,
    receivers: [firm, first],
    clock,
    route: {
      receivers: ['firm'],
      groupWait: 10 * SECOND,
      routes: [
        { ...createRouteTo(['firm', 'first-customer']), rule: 'first', matchers: { source: ['customer-00'] } },
        { ...createRouteTo(['firm']), rule: 'rest', matchers: { source: ['*'] } },
      ],
    },
    options: {
      accounts: Array.from({ length: COUNT }, (_each, index) => customer(index, (number) => !lost || number > '103')),
    },
  });
  await running.pass(3 * MINUTE);
  for (const receiver of [firm, first]) receiver.calls.length = 0;
  const id = world.openNotice({ subject: 'Registrations fail', components: ['Trunks'] });
  await running.pass(MINUTE);
  lost = true;
  await running.pass(15 * MINUTE);
  const calls = firm.calls.flatMap(({ at, messages }) => messages.map((message) => ({ at, message })));
  const sourcesOf = ({ changes }: Message): number => new Set(changes.map(({ transition }) => transition.source)).size;
  // The trouble at once; then at full minutes whom it hits: their sweeps are spread over one minute.
  expect(calls.map(({ message }) => message.changes[0]?.transition.kind)).toEqual([
    'notice.opened',
    ...calls.slice(1).map(() => 'registration.mass'),
  ]);
  expect(calls.length).toBeLessThanOrEqual(3);
  expect(calls.slice(1).every(({ at }) => at % MINUTE === 0)).toBe(true);
  expect(calls.slice(1).reduce((sum, { message }) => sum + sourcesOf(message), 0)).toBe(COUNT);

  const together = calls[1];
  if (together === undefined) throw new Error('the accounts were told of');
  const { at, message } = together;
  const told = composeContent(message, {
    timezone: 'UTC',
    instance: 'hq',
    externalUrl: null,
    now: at,
    customer: displayName,
  });
  const hit = sourcesOf(message);
  expect(told.headline).toBe(`${3 * hit} of ${5 * hit} phones offline at ${hit} customers — provider: investigating`);
  expect(told.title).toBe(`${3 * hit} of ${5 * hit} phones offline at ${hit} customers`);
  expect(told.remarks).toEqual([]);
  const listed = told.lists.map(({ label, items, unlisted }) => [label, items.length, unlisted]);
  expect(listed).toEqual([['Phones by customer (█ registered, ░ offline)', 10, hit - 10]]);
  expect(told.lists[0]?.items[0]).toMatch(/^████░░░░░░ Customer \d+: 3 of 5 phones offline$/);

  // A customer reads of himself alone, and as soon as it is known.
  const own = first.calls.flatMap(({ at: sent, messages }) => messages.map((each) => ({ sent, each })));
  const losses = own.filter(({ each }) => each.changes[0]?.transition.kind === 'registration.mass');
  expect(losses.map(({ each }) => sourcesOf(each))).toEqual([1]);
  expect(losses.every(({ sent, each }) => sent === each.promisedAt)).toBe(true);

  // What the provider says next does not wait for the minute, and takes along what does.
  lost = false;
  world.updateNotice(id, { content: 'Half of the registrations are back.' });
  await running.pass(10 * MINUTE);
  const next = firm.calls
    .flatMap(({ at: sent, messages }) => messages.map((each) => ({ sent, each })))
    .slice(calls.length);
  const word = next.find(({ each }) => each.changes.some(({ transition }) => transition.kind === 'notice.update'));
  expect((word?.sent ?? 0) - (word?.each.changes.at(-1)?.transition.at ?? 0)).toBeLessThanOrEqual(SECOND);
  expect(next.length).toBeLessThanOrEqual(4);
  await running.stop();
});

test('without a notice, account by account: one alert, growth after ever longer pauses, one end', async () => {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [firm, last] = [paperReceiver('firm', 'people'), paperReceiver('last-customer', 'people')];
  let lostSince = Infinity;
  // The first loses one phone alone; every 45 seconds the next follows.
  const isUp = (index: number, number: string): boolean => {
    const gone = clock.now() - lostSince - index * 45 * SECOND;
    return gone < (index === 0 && number !== '101' ? MINUTE : 0) || number > '104';
  };
  const running = await startPaperDaemon({
    source: world,
    receivers: [firm, last],
    clock,
    route: {
      receivers: ['firm'],
      groupWait: 0,
      routes: [
        { ...createRouteTo(['firm', 'last-customer']), rule: 'last', matchers: { source: ['customer-19'] } },
        { ...createRouteTo(['firm']), rule: 'rest', matchers: { source: ['*'] } },
      ],
    },
    options: {
      accounts: Array.from({ length: COUNT }, (_each, index) => customer(index, (number) => isUp(index, number))),
    },
  });
  await running.pass(3 * MINUTE);
  for (const receiver of [firm, last]) receiver.calls.length = 0;
  lostSince = clock.now();
  await running.pass(30 * MINUTE);
  const read = (): { at: number; message: Message }[] =>
    firm.calls.flatMap(({ at, messages }) => messages.map((message) => ({ at, message })));
  const losses = read();
  expect(new Set(losses.map(({ message }) => message.alert.number)).size).toBe(1);
  // Fifteen minutes of growth.
  expect(losses.length).toBeLessThanOrEqual(7);
  const late = losses.flatMap(({ at, message }) => message.changes.map(({ transition }) => at - transition.at));
  expect(Math.max(...late)).toBeLessThanOrEqual(4 * MINUTE);
  const named = losses.flatMap(({ message }) => message.changes.map(({ transition }) => transition.source));
  expect(new Set(named).size).toBe(COUNT);
  const own = last.calls.flatMap(({ at, messages }) => messages.map((each) => ({ at, each })));
  expect(own.length).toBeGreaterThan(0);
  expect(own.every(({ at, each }) => at === each.promisedAt)).toBe(true);
  expect(own.every(({ each }) => each.changes.every(({ transition }) => transition.source === 'customer-19'))).toBe(
    true,
  );

  lostSince = Infinity;
  await running.pass(10 * MINUTE);
  const ends = read().slice(losses.length);
  expect(ends.length).toBeLessThanOrEqual(1);
  const end = ends.at(-1);
  expect(end?.message.alert.resolvedAt).not.toBeNull();
  const compose = (message: Message) =>
    composeContent(message, {
      timezone: 'UTC',
      instance: 'hq',
      externalUrl: null,
      now: clock.now(),
      customer: displayName,
    });
  expect(end === undefined ? '' : compose(end.message).headline).toMatch(
    /^All \d+ phones at 20 customers are back — after /,
  );
  // The reader of one customer is told of that alone.
  const mine = last.calls.flatMap(({ messages }) => messages.map((message) => compose(message).headline));
  expect(mine.every((headline) => headline.startsWith('Customer 19: '))).toBe(true);
  expect((end?.at ?? 0) - (end?.message.changes.at(-1)?.transition.at ?? 0)).toBeLessThanOrEqual(MINUTE);
  await running.stop();
});
