/** Reminders of an alert that several accounts share: one for all of them, to each receiver. */
import { expect, test } from 'vitest';
import { createAlert, type Alert } from '../../../src/core/alert/alert.ts';
import type { Part, PartsById } from '../../../src/core/correlation/other-parts.ts';
import { enqueueReminders, findNextReminder } from '../../../src/core/outbox/reminder.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import { HOUR, MINUTE } from '../../../src/core/text/duration.ts';
import { routingTo } from '../../support/routing.ts';

const START = Date.UTC(2026, 2, 24);
const routing = routingTo(['ops', 'branch'], { repeatInterval: 4 * HOUR });

interface PartOfTest extends Partial<Part> {
  source: string;
  /** Minutes after the start. */
  toldAt?: number;
  receivers?: string[];
}

function part({ toldAt = 0, receivers = ['ops'], ...own }: PartOfTest): Part {
  const [lastChange = null] = createSampleMessage('registration.mass', 'ops', START).changes;
  const known = { id: 'shared', number: 1, startedAt: START, family: 'phones' as const, now: START };
  const told = receivers.map((receiver) => ({ receiver, at: START + toldAt * MINUTE, reminders: 0 }));
  return { ...createAlert({ ...known, source: own.source }), severity: 'critical', lastChange, told, ...own };
}

/** Source and receiver of each reminder that is due, in all accounts. */
function reminders(parts: readonly Part[], hours = 4): string[] {
  const accounts = [...Map.groupBy(parts, ({ source }) => source)];
  return accounts.flatMap(([source, own]) =>
    enqueueReminders(own as Alert[], { now: START + hours * HOUR, routing, parts: byId(parts) }).flatMap(({ to }) =>
      to.map(({ receiver }) => `${source} to ${receiver}`),
    ),
  );
}

function byId(parts: readonly Part[]): PartsById {
  const ids = Map.groupBy(parts, ({ id }) => id);
  return new Map([...ids].map(([id, own]) => [id, Map.groupBy(own, ({ source }) => source)]));
}

const LATER = START + MINUTE;

test('the account that lost its phones first reminds of all', () => {
  const [acme, blue] = [part({ source: 'acme', openedAt: LATER }), part({ source: 'blue' })];
  const next = [acme, blue].map((one) => findNextReminder([one as Alert], { routing, parts: byId([acme, blue]) }));
  expect(next).toEqual([null, START + 4 * HOUR]);
  expect(reminders([acme, blue, part({ source: 'zenith' })])).toEqual(['blue to ops']);
});

test('alerts of their own are reminded each', () => {
  const [acme, blue] = [part({ source: 'acme' }), part({ source: 'blue', id: 'other' })];
  expect(reminders([acme, blue])).toEqual(['acme to ops', 'blue to ops']);
});

test('a receiver that the first account did not notify is reminded by another', () => {
  const later = part({ source: 'blue', openedAt: LATER, receivers: ['ops', 'branch'] });
  expect(reminders([part({ source: 'acme' }), later])).toEqual(['acme to ops', 'blue to branch']);
});

test.each<[string, Partial<Part>]>([
  ['is over', { status: 'resolved', resolvedAt: LATER }],
  ['became part of another alert', { absorbedBy: 'group' }],
  ['is for information', { severity: 'info' }],
])('the next account reminds where the loss of the first one %s', (_, own) => {
  const later = part({ source: 'blue', openedAt: LATER });
  expect(reminders([part({ source: 'acme', ...own }), later])).toContain('blue to ops');
});

test('two losses of one account bring one reminder of all accounts, also once only the second goes on', () => {
  const parts = (own: Partial<PartOfTest> = {}, other: Partial<PartOfTest> = {}) => [
    part({ source: 'acme', suspected: true, group: 'a', ...own }),
    part({ source: 'acme', suspected: true, group: 'b', openedAt: LATER, ...other }),
    part({ source: 'blue', status: 'resolved', resolvedAt: LATER }),
  ];
  expect(reminders(parts())).toEqual(['acme to ops']);
  expect(reminders(parts({ openedAt: LATER }))).toEqual(['acme to ops']);
  const over = { status: 'resolved', resolvedAt: LATER } as const;
  expect(reminders(parts(over))).toEqual(['acme to ops']);
  expect(reminders(parts({}, { toldAt: 60 }))).toEqual([]);
  // The second is not acknowledged.
  expect(reminders(parts({ acknowledged: { by: 'Kim', comment: '', at: LATER } }))).toEqual(['acme to ops']);
  expect(reminders(parts({}, { id: 'other' }))).toEqual(['acme to ops', 'acme to ops']);
});

test('a receiver that knows of one account alone is reminded of the phones of each loss', () => {
  const losses = ['a', 'b'].map((group) => part({ source: 'acme', group, receivers: ['branch'] }));
  expect(reminders([...losses, part({ source: 'blue' })])).toEqual(['acme to branch', 'acme to branch', 'blue to ops']);
});

test('the interval counts from the last message about any of the accounts', () => {
  const grown = part({ source: 'blue', openedAt: LATER, suspected: true, toldAt: 60 });
  const parts = [part({ source: 'acme', suspected: true }), grown];
  expect(reminders(parts, 4)).toEqual([]);
  expect(reminders(parts, 5)).toEqual(['acme to ops']);
});

test('planned work reminds of the phones that it costs, those who were notified of them', () => {
  const work = part({ source: 'page', family: 'notice', severity: 'info', receivers: ['ops', 'branch'] });
  const lost = part({ source: 'acme', explainedBy: 'shared', suspected: true });
  expect(reminders([work, lost])).toContain('page to ops');
  expect(reminders([work, lost])).not.toContain('page to branch');
  expect(reminders([work])).toEqual([]);
  expect(reminders([work, { ...lost, status: 'resolved' }])).toEqual([]);
});

test('the notice that explains a loss reminds those whom it was sent to, and the loss the others', () => {
  const notice = part({ source: 'page', id: 'notice', family: 'notice' });
  const lost = { source: 'acme', explainedBy: 'notice', receivers: ['ops', 'branch'] };
  const all = () => [notice, part(lost), part({ ...lost, source: 'blue', openedAt: LATER })];
  expect(reminders(all())).toEqual(['page to ops', 'acme to branch']);
  // The notice has ended.
  const over = all().map((one) => (one.family === 'notice' ? { ...one, status: 'resolved' as const } : one));
  expect(reminders(over)).toEqual(['acme to ops', 'acme to branch']);
});
