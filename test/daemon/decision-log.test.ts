/** The log says of each alert why people are told of it now, or why they are not. */
import { expect, test } from 'vitest';
import { formatStatus } from '../../src/cli/status/status-text.ts';
import type { HoldReason } from '../../src/core/correlation/notify-decision.ts';
import { createRouteTo } from '../../src/core/alert/route.ts';
import { reportStatus } from '../../src/core/view/status-report.ts';
import { capitalize } from '../../src/core/text/plain.ts';
import { formatElapsed } from '../../src/core/wording/time.ts';
import { createDaemonStatusReader } from '../../src/daemon/status/status-reader.ts';
import { formatStory } from '../../src/cli/alert/alert-story.ts';
import { reportStory } from '../../src/core/view/story/story-report.ts';
import { explainHold } from '../../src/core/wording/phones/why.ts';
import type { Log } from '../../src/log/log.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import {
  HOUR,
  MINUTE,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperDaemonOptions,
} from '../support/paper-daemon.ts';
import type { VirtualClock } from '../../src/daemon/common/clock.ts';
import { statusWith, pageWith } from '../support/system-status.ts';
import { quietLog } from '../support/running-daemon.ts';

interface Scene {
  clock: VirtualClock;
  world: StatusWorld;
  running: PaperDaemon;
  /** `told first notice.opened`, since it was last asked. */
  decisions: () => string[];
}

async function begin(route: PaperDaemonOptions['route'] = {}): Promise<Scene> {
  const clock = virtualClock(START);
  const components = ['Trunks', 'SMS'].map((name, index) => ({ id: index + 1, name }));
  const world = createStatusWorld({ clock, name: 'Provider', components });
  const lines: string[] = [];
  const log: Log = {
    ...quietLog,
    info: (message, { decision, reason, kind } = {}) => {
      if (message === 'decision') lines.push([decision, reason, kind].join(' '));
    },
  };
  const running = await startPaperDaemon({
    source: world,
    receivers: [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')],
    clock,
    route,
    intervalMs: MINUTE,
    options: { log },
  });
  await running.pass(2 * MINUTE);
  lines.length = 0;
  return { clock, world, running, decisions: () => lines.splice(0) };
}

test('of what is told: it is the first, it has changed, it is repeated, it ends', async () => {
  const { world, running, decisions } = await begin({ repeatInterval: HOUR });
  const id = world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(MINUTE);
  expect(decisions()).toEqual(['told first notice.opened', 'held explained component.state']);
  const { state } = running.daemon.sources[0] ?? {};
  const sources = state === undefined ? {} : { provider: state };
  const status = statusWith({ now: START, sources, toPeople: running.daemon.toPeople });
  expect(status.open).toMatchObject([{ number: 1, notTold: null }]);
  world.updateNotice(id, { content: 'We look into it.' });
  await running.pass(MINUTE);
  expect(decisions()).toEqual(['told changed notice.update']);
  await running.pass(HOUR);
  expect(decisions()).toEqual(['told repeat notice.update']);
  world.closeNotice(id);
  await running.pass(2 * MINUTE);
  expect(decisions()).toEqual(['told ended notice.closed', 'held explained component.state']);
  await running.stop();
});

const NIGHT = {
  ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], start: 0, endDay: 0, end: 24 * 60 }],
  except: [],
  timezone: 'UTC',
};

test.each([
  ['group wait', { urgentGroupWait: HOUR }],
  ['quiet hours', { quietHours: { hours: NIGHT, letThrough: null } }],
  ['no route', { routes: [{ ...createRouteTo(['programs']), matchers: { kind: ['notice.*'] } }] }],
] as const)('of what is not told: %s', async (reason, route) => {
  const { world, running, decisions } = await begin(route);
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(MINUTE);
  expect(decisions()[0]).toBe(`held ${reason} notice.opened`);
  await expectShown(running, reason);
  await running.stop();
});

/** `status`, as JSON and as text, and the page say the same of the one alert. */
async function expectShown({ daemon }: PaperDaemon, reason: HoldReason): Promise<void> {
  const [source] = daemon.sources;
  if (source === undefined) throw new Error('nothing is watched');
  const now = source.state.observedAt ?? START;
  const status = statusWith({ now, sources: { provider: source.state }, toPeople: daemon.toPeople });
  const report = reportStatus(status);
  expect(report.sources[0]?.alerts).toMatchObject([{ number: 1, not_told: reason }]);
  const held = status.open[0]?.notTold ?? { reason, dueAt: null };
  const said = explainHold(held, now);
  expect(formatStatus(report, { timezone: 'UTC', now }, '/state').map((line) => line.trim())).toContain(said);
  const shown = await pageWith(status);
  if (reason !== 'silenced') expect(String(shown)).toContain(capitalize(said));
}

test('of what is silenced', async () => {
  const { world, running, decisions } = await begin();
  await running.daemon.own.happened({
    kind: 'silence',
    silence: {
      id: 's',
      matchers: { component: ['Trunks'] },
      from: START,
      until: START + HOUR,
      comment: '',
      createdAt: START,
      expiredAt: null,
    },
  });
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(MINUTE);
  expect(decisions()[0]).toBe('held silenced notice.opened');
  await expectShown(running, 'silenced');
  await running.stop();
});

test('what is sent next, to whom and when, stands in the story until it is sent', async () => {
  const { clock, world, running } = await begin({ urgentGroupWait: 10 * MINUTE });
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(MINUTE);
  const { daemon } = running;
  const config = { instance: 'hq', timezone: 'UTC', statusPages: [], accounts: [] };
  const reading = ({ lastReadAt }: { lastReadAt: number | null }) => ({ lastReadAt, unreadMs: 0 });
  const drawn = createDaemonStatusReader(() => ({ config, daemon, reading, clock, startedAt: START, log: quietLog }));
  const story = () => reportStory(drawn.alert(1).story!, null, null);
  const lines = () => formatStory(story(), { timezone: 'UTC', now: clock.now() }).map((line) => line.trim());
  const due = Date.parse(story().due_at ?? '');
  expect(due - clock.now()).toBeGreaterThan(8 * MINUTE);
  const within = `within ${formatElapsed(due - clock.now())}`;
  const headline = 'Trouble: No calls — the provider is investigating';
  expect(story().untold).toMatchObject([{ receiver: 'people', why: 'group wait', next: { headline } }]);
  expect(lines()).toEqual(
    expect.arrayContaining([
      'people: not told yet',
      `will be sent ${within}: ${headline}`,
      `The message will be sent ${within}.`,
    ]),
  );
  await running.pass(11 * MINUTE);
  expect(story()).toMatchObject({ not_told: null, due_at: null, untold: [] });
  expect(story().told).toContainEqual(expect.objectContaining({ receiver: 'people', waiting: 0, next: null }));
  await running.stop();
});

test.each([
  [{ reason: 'group wait', dueAt: START + 9_200 }, 'the message will be sent within 10 s'],
  [{ reason: 'quiet hours', dueAt: START + 6 * HOUR }, 'the message will be sent when quiet hours end, in 6 h'],
  [
    { reason: 'held', dueAt: START + 18 * MINUTE },
    'the message will be sent within 18 min, as little has changed since the last one',
  ],
  [{ reason: 'no route', dueAt: null }, 'the message is not sent, as no route leads it to people'],
] as const)('%j in words', (held, text) => {
  expect(explainHold(held, START)).toBe(text);
});
