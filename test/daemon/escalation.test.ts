/** An alert that nobody acknowledges in time goes to more receivers, and to whoever is on duty. */
import { expect, test } from 'vitest';
import type { Escalation } from '../../src/core/alert/route.ts';
import type { ReadCalendar, RotaSettings } from '../../src/daemon/rotas/rotas.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { everyone } from '../support/running-daemon.ts';
import {
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
} from '../support/paper-daemon.ts';

const STEP: Escalation = { after: 15 * MINUTE, unless: 'acknowledged', receivers: ['oncall'] };

async function begin(steps: readonly Escalation[], rotas?: { settings: readonly RotaSettings[]; read: ReadCalendar }) {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [slack, oncall, boss] = ['slack', 'oncall', 'boss'].map((name) => paperReceiver(name, 'people'));
  if (slack === undefined || oncall === undefined || boss === undefined) throw new Error('three receivers');
  const disk = paperDisk();
  const start = () =>
    startPaperDaemon({
      source: world,
      receivers: [slack, oncall, boss],
      clock,
      disk,
      route: { ...everyone(['slack']), escalate: [...steps] },
      options: rotas === undefined ? {} : { rotas },
    });
  const running = await start();
  await running.pass(2 * MINUTE);
  slack.taken.length = 0;
  return { clock, world, slack, oncall, boss, running, start };
}

test('goes to the next receiver after the time, once, and that one hears the end', async () => {
  const { world, slack, oncall, running } = await begin([STEP]);
  const id = world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(14 * MINUTE);
  expect([slack.taken.length, oncall.taken.length]).toEqual([1, 0]);
  await running.pass(2 * HOUR);
  expect(oncall.taken).toMatchObject([{ first: true, escalatedMs: 15 * MINUTE, alert: { severity: 'critical' } }]);
  world.updateNotice(id, { state: 'resolved', content: 'Calls work.' });
  await running.pass(2 * MINUTE);
  expect(oncall.taken.at(-1)?.alert.resolvedAt).not.toBeNull();
});

test('does not go on once somebody has acknowledged it, or it is over', async () => {
  const { world, oncall, running } = await begin([STEP]);
  const id = world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(2 * MINUTE);
  await acknowledgeAll(running);
  await running.pass(HOUR);
  world.updateNotice(id, { state: 'resolved', content: 'Calls work.' });
  await running.pass(2 * MINUTE);
  const other = world.openNotice({ subject: 'No faxes', components: ['Trunks'] });
  await running.pass(10 * MINUTE);
  world.updateNotice(other, { state: 'resolved', content: 'Faxes work.' });
  await running.pass(HOUR);
  expect(oncall.taken).toEqual([]);
});

test('goes on in spite of that where only the end stops it, and step by step', async () => {
  const later: Escalation = { after: 30 * MINUTE, unless: 'acknowledged', receivers: ['boss'] };
  const { world, oncall, boss, running } = await begin([{ ...STEP, unless: 'ended' }, later]);
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(2 * MINUTE);
  await acknowledgeAll(running);
  await running.pass(HOUR);
  expect([oncall.taken.length, boss.taken.length]).toEqual([1, 0]);
});

test('nothing of it is sent again after a restart, and what fell due meanwhile is sent then', async () => {
  const later: Escalation = { after: 40 * MINUTE, unless: 'acknowledged', receivers: ['boss'] };
  const { clock, world, oncall, boss, running, start } = await begin([STEP, later]);
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(20 * MINUTE);
  await running.stop();
  clock.advance(HOUR);
  const again = await start();
  await again.pass(2 * MINUTE);
  expect([oncall.taken.length, boss.taken.length]).toEqual([1, 1]);
  await again.stop();
});

test('what is only for information is never escalated', async () => {
  const { world, oncall, running } = await begin([STEP]);
  world.openNotice({ type: 'general', subject: 'News', components: [] });
  await running.pass(HOUR);
  expect(oncall.taken).toEqual([]);
});

const ROTA: RotaSettings = {
  name: 'duty',
  calendar: './duty.ics',
  people: { alice: ['oncall'] },
  fallback: ['boss'],
  timezone: 'UTC',
};

test('goes to whoever is on duty, else to the fallback, which is reported once', async () => {
  const calendar = calendarOf('DTSTART:20260302T090000Z', 'DTEND:20260302T100000Z', 'SUMMARY:Alice');
  const read: ReadCalendar = () => Promise.resolve({ text: calendar });
  const duty = { ...STEP, receivers: ['duty'] };
  const { world, slack, oncall, boss, running, start } = await begin([duty], { settings: [ROTA], read });
  const id = world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(20 * MINUTE);
  expect([oncall.taken.length, boss.taken.length]).toEqual([1, 0]);
  world.updateNotice(id, { state: 'resolved', content: 'Calls work.' });
  await running.pass(2 * HOUR);
  world.openNotice({ subject: 'No faxes', components: ['Trunks'] });
  await running.pass(20 * MINUTE);
  expect([oncall.taken.length, boss.taken.length]).toEqual([2, 1]);
  await running.pass(3 * HOUR);
  await running.stop();
  const again = await start();
  await again.pass(HOUR);
  const gaps = slack.calls.flatMap(({ messages }) => messages).filter(({ alert }) => alert.number === null);
  expect(gaps.flatMap(({ changes }) => changes.map(({ transition }) => String(transition.to)))).toEqual([
    expect.stringMatching(/^nobody is on duty by rota duty from .*10:00/),
    expect.stringContaining('watching'),
  ]);
  await again.stop();
});

test('a calendar that cannot be read any more counts as it was, and is reported once', async () => {
  const calendar = calendarOf('DTSTART:20260302T090000Z', 'DTEND:20260309T100000Z', 'SUMMARY:On call: Alice');
  const answers = [{ text: calendar }, { why: 'its address answered 404' }];
  const read: ReadCalendar = () => Promise.resolve(answers.length > 1 ? (answers.shift() ?? {}) : answers[0]) as never;
  const duty = { ...STEP, receivers: ['duty'] };
  const { world, slack, oncall, running } = await begin([duty], { settings: [ROTA], read });
  await running.pass(2 * HOUR);
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(20 * MINUTE);
  expect(oncall.taken).toHaveLength(1);
  const said = slack.taken.filter(({ alert }) => alert.number === null);
  expect(said.map(({ changes }) => changes[0]?.transition.to)).toEqual([
    'the calendar of rota duty cannot be read: its address answered 404',
  ]);
  await running.stop();
});

function calendarOf(...lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join(
    '\r\n',
  );
}

async function acknowledgeAll({ daemon }: Awaited<ReturnType<typeof startPaperDaemon>>): Promise<void> {
  const source = daemon.named('provider');
  for (const { id, status } of source?.state.alerts ?? []) {
    if (status === 'open') await source?.acknowledge({ alert: id, by: 'kim', comment: '', heard: new Set() });
  }
}
