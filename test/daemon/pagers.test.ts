/** A pager rings for every alert and stops for every alert, whatever people are told in one message. */
import { expect, test } from 'vitest';
import type { ToggleExpectation } from '../../src/core/account/settings.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { renderPagerDuty } from '../../src/receivers/pagerduty/render.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import { allOf, CLEAR } from '../laws/paper-reader.ts';
import {
  DELIVERED,
  MINUTE,
  paperDisk,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  transient,
  virtualClock,
  type PaperDaemonOptions,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

/** What arrives there, in order: "trigger KEY: summary" and "resolve KEY". */
function rung({ taken }: PaperReceiver): string[] {
  return taken.flatMap((message: Message) => {
    const options = { timezone: 'UTC', instance: 'test', externalUrl: null, now: message.promisedAt };
    const event = renderPagerDuty(message, composeContent(message, options), 'key');
    if (event === null) return [];
    const summary = event.payload === undefined ? '' : `: ${event.payload.summary}`;
    return [`${event.event_action} ${event.dedup_key}${summary}`];
  });
}

function keys(events: readonly string[], action: 'trigger' | 'resolve'): string[] {
  const chosen = events
    .filter((event) => event.startsWith(action))
    .map((event) => /linewatch-\w+/.exec(event)?.[0] ?? '');
  return [...new Set(chosen)].toSorted();
}

async function begin(options: Partial<PaperDaemonOptions> = {}) {
  const clock = virtualClock(START);
  const components = [
    { id: 1, name: 'Trunks' },
    { id: 2, name: 'SMS' },
  ];
  const world = createStatusWorld({ clock, name: 'Provider', components });
  const second = createStatusWorld({ clock, name: 'Second', components });
  const pager: PaperReceiver = { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true };
  const slack = paperReceiver('slack', 'people');
  const sky = { weather: CLEAR };
  const start = () =>
    startPaperDaemon({
      source: world,
      others: { second },
      receivers: [pager, slack],
      clock,
      weather: () => sky.weather,
      ...options,
    });
  return { clock, world, pager, slack, sky, start };
}

test('sources that fail together are one message for people and one alert for a pager, and so is their return', async () => {
  const { pager, slack, sky, start } = await begin();
  const running = await start();
  await running.pass(2 * MINUTE);
  slack.taken.length = 0;
  sky.weather = allOf('missed');
  await running.pass(10 * MINUTE);
  sky.weather = CLEAR;
  await running.pass(10 * MINUTE);
  expect(slack.taken).toHaveLength(2);
  const events = rung(pager);
  expect(keys(events, 'trigger')).toHaveLength(1);
  expect(keys(events, 'resolve')).toEqual(keys(events, 'trigger'));
});

test('a backlog of several alerts rings for each as well', async () => {
  const { world, pager, start } = await begin();
  const running = await start();
  await running.pass(2 * MINUTE);
  pager.conduct = () => transient('it is down');
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  world.setComponentState('SMS', 'degraded');
  await running.pass(10 * MINUTE);
  pager.conduct = () => DELIVERED;
  await running.pass(6 * MINUTE);
  expect(keys(rung(pager), 'trigger')).toHaveLength(2);
});

test('what is open when the watch begins rings, each alert by itself, and stops at its end', async () => {
  const { world, pager, slack, start } = await begin();
  const id = world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  world.setComponentState('SMS', 'degraded');
  const running = await start();
  await running.pass(2 * MINUTE);
  expect(slack.taken).toHaveLength(1);
  expect(rung(pager)).toEqual([
    expect.stringMatching(/^trigger linewatch-\w+: .*No calls.* \(#\d · Critical · New · provider\)$/),
    expect.stringMatching(/^trigger linewatch-\w+: .*SMS.* \(#\d · Warning · New · provider\)$/),
  ]);
  world.closeNotice(id);
  world.setComponentState('SMS', null);
  await running.pass(2 * MINUTE);
  const events = rung(pager);
  expect(keys(events, 'resolve')).toEqual(keys(events, 'trigger'));
});

test('a pager for what is critical does not ring for the rest of a summary', async () => {
  const route = { minSeverity: 'critical', groupWait: 10 * SECOND } as const;
  const { world, pager, start } = await begin({ route });
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  world.setComponentState('SMS', 'degraded');
  const running = await start();
  await running.pass(2 * MINUTE);
  expect(rung(pager)).toEqual([expect.stringContaining('No calls')]);
});

test('an alert that ends without a word, as its expectation is taken out of the configuration, stops ringing', async () => {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [] });
  const pager: PaperReceiver = { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true };
  const slack = paperReceiver('slack', 'people');
  const disk = paperDisk();
  const seen = <T>(items: T[]): Promise<Listing<T>> =>
    Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
  const hours = { ranges: [], except: [], timezone: 'UTC' };
  const start = (expectations: ToggleExpectation[]) =>
    startPaperDaemon({
      source: world,
      receivers: [pager, slack],
      clock,
      disk,
      options: {
        accounts: [
          {
            name: 'head-office',
            baseUrl: 'https://api.example.test',
            reader: {
              registrations: () => seen([]),
              extensions: () => seen([]),
              toggles: () => seen([{ id: '1', name: 'After hours', status: false }]),
              restMs: () => 0,
            },
            registrationsEveryMs: MINUTE,
            togglesEveryMs: MINUTE,
            unreachableAfterMs: 3 * MINUTE,
            settings: { ...SETTINGS, expectations },
            page: null,
            labels: {},
          },
        ],
      },
    });
  const first = await start([{ toggle: 'Nothing', hours, grace: MINUTE, severity: 'critical' }]);
  await first.pass(5 * MINUTE);
  await first.stop();
  expect(keys(rung(pager), 'trigger')).toHaveLength(1);
  const told = slack.taken.length;
  const second = await start([]);
  await second.pass(5 * MINUTE);
  expect(keys(rung(pager), 'resolve')).toEqual(keys(rung(pager), 'trigger'));
  expect(slack.taken).toHaveLength(told);
});
