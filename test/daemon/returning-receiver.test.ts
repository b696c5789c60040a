/** A receiver that is taken out of the configuration and comes back knows how things stand then. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createRouteTo, type Route } from '../../src/core/alert/route.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { accountsOf, TOWN } from '../support/paper-accounts.ts';
import {
  DELIVERED,
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  transient,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

const DAY = 24 * HOUR;
const ALL_PHONES: ReadonlySet<string> = new Set(TOWN.map(({ extension }) => extension));
const NO_PHONES: ReadonlySet<string> = new Set();

function begin() {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [slack, mail, bus] = [
    paperReceiver('slack', 'people'),
    paperReceiver('mail', 'people'),
    paperReceiver('bus', 'programs'),
  ];
  const disk = paperDisk();
  const start = async (...receivers: PaperReceiver[]): Promise<PaperDaemon> => {
    const running = await startPaperDaemon({ source: world, receivers, clock, disk, intervalMs: 10 * MINUTE });
    await running.pass(MINUTE);
    return running;
  };
  return { world, slack, mail, bus, start };
}

/** What it was told of the notice, a message at a time. */
const kinds = ({ taken }: PaperReceiver): string[][] =>
  taken
    .filter(({ alert }: Message) => alert.title === 'No calls')
    .map(({ changes }) => changes.map(({ transition }) => transition.kind).filter((kind) => kind.startsWith('notice.')))
    .filter((all) => all.length > 0);

test('one that failed and was away at the end is told beginning and end, as one message where people read it', async () => {
  const { world, slack, mail, bus, start } = begin();
  const first = await start(slack, mail, bus);
  for (const receiver of [slack, bus]) {
    receiver.taken.length = 0;
    receiver.conduct = () => transient('it is down');
  }
  const id = world.openNotice({ subject: 'No calls', components: [] });
  await first.pass(HOUR);
  await first.stop();
  const second = await start(mail);
  world.closeNotice(id);
  await second.pass(HOUR);
  const waiting = second.daemon.removed.all().map(({ name, waiting: all }) => {
    return `${name} ${all.some(({ alert }) => alert.title === 'No calls')}`;
  });
  expect(waiting.toSorted()).toEqual(['bus true', 'slack true']);
  await second.stop();
  for (const receiver of [slack, bus]) receiver.conduct = () => DELIVERED;
  const third = await start(slack, mail, bus);
  expect(kinds(slack)).toEqual([['notice.opened', 'notice.closed']]);
  expect(kinds(bus)).toEqual([['notice.opened'], ['notice.closed']]);
  await third.pass(DAY);
  await third.stop();
  const fourth = await start(slack, mail, bus);
  await fourth.pass(DAY);
  expect(kinds(slack)).toHaveLength(1);
  expect(kinds(bus)).toHaveLength(2);
  expect(kinds(mail)).toEqual([['notice.opened'], ['notice.closed']]);
});

test('one that had the beginning is told the end, however long it was away', async () => {
  const { world, slack, mail, start } = begin();
  const first = await start(slack, mail);
  const id = world.openNotice({ subject: 'No calls', components: [] });
  await first.pass(HOUR);
  await first.stop();
  const second = await start(mail);
  // What it had is not shown as waiting for it.
  expect(second.daemon.removed.all()).toEqual([]);
  world.closeNotice(id);
  await second.pass(10 * DAY);
  await second.stop();
  slack.taken.length = 0;
  await start(slack, mail);
  expect(kinds(slack)).toEqual([['notice.closed']]);
});

test('one that comes back while it goes on is told how it stands, and nothing where nothing has changed', async () => {
  const { world, slack, mail, start } = begin();
  const first = await start(slack, mail);
  const id = world.openNotice({ subject: 'No calls', components: [] });
  world.openNotice({ subject: 'No SMS', components: [] });
  await first.pass(HOUR);
  await first.stop();
  const second = await start(mail);
  for (const content of ['One.', 'Two.', 'Three.']) {
    world.updateNotice(id, { content });
    await second.pass(HOUR);
  }
  await second.stop();
  slack.taken.length = 0;
  await start(slack, mail);
  expect(slack.taken.map(({ alert }) => alert.title)).toEqual(['No calls']);
  expect(JSON.stringify(slack.taken)).toContain('Three.');
});

describe('one that was away when a notice opened, and is told of phones lost under it', () => {
  /** Ends that each receiver was sent, with their status; the phones are back an hour before the notice closes. */
  async function playEnds(route: Partial<Route> = {}): Promise<Record<string, string[]>> {
    const clock = virtualClock(START);
    const components = [{ id: 1, name: 'SIP Registration' }];
    const source = createStatusWorld({ clock, name: 'Provider', components });
    const slack = paperReceiver('slack', 'people');
    const returning = [
      paperReceiver('mail', 'people'),
      paperReceiver('bus', 'programs'),
      { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true },
    ];
    const disk = paperDisk();
    let lost = NO_PHONES;
    const start = (receivers: PaperReceiver[]): Promise<PaperDaemon> =>
      startPaperDaemon({
        source,
        receivers,
        clock,
        disk,
        intervalMs: MINUTE,
        route,
        options: { accounts: accountsOf(() => lost, MINUTE) },
      });
    const first = await start([slack]);
    await first.pass(10 * MINUTE);
    const id = source.openNotice({ subject: 'No calls', content: 'One.', components: ['SIP Registration'] });
    await first.pass(10 * MINUTE);
    await first.stop();
    const second = await start([slack, ...returning]);
    await second.pass(10 * MINUTE);
    lost = ALL_PHONES;
    await second.pass(HOUR);
    lost = NO_PHONES;
    await second.pass(HOUR);
    source.closeNotice(id, { content: 'Two.' });
    await second.pass(HOUR);
    await second.stop();
    return Object.fromEntries(
      [slack, ...returning].map(({ name, taken }) => [
        name,
        taken.flatMap(({ changes }) =>
          changes.flatMap(({ transition: { kind }, status }) =>
            kind === 'registration.restored' || kind === 'notice.closed' ? [`${kind} ${status}`] : [],
          ),
        ),
      ]),
    );
  }

  test('gets the end with the last part: the notice, whose end its route leads to it', async () => {
    const ends = await playEnds();
    for (const name of ['slack', 'mail', 'bus', 'pager']) {
      expect(
        ends[name]?.filter((end) => end.endsWith('resolved')),
        name,
      ).toEqual(['notice.closed resolved']);
    }
  });

  test('gets the end with its phones where no route leads the notice to it', async () => {
    const phones = { ...createRouteTo(['mail', 'bus', 'pager']), matchers: { source: ['acme', 'zenith'] } };
    const ends = await playEnds({ receivers: ['slack'], routes: [phones] });
    expect(ends['slack']).toContain('notice.closed resolved');
    for (const name of ['mail', 'bus', 'pager']) {
      expect(
        ends[name]?.filter((end) => end.startsWith('notice.')),
        name,
      ).toEqual([]);
      expect(ends[name]?.at(-1), name).toBe('registration.restored resolved');
    }
  });
});
