import { describe, expect, test } from 'vitest';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { SimulatorError } from '../../src/simulator/simulator-error.ts';
import { manualTime } from './support/manual-time.ts';

const DAY = 86_400_000;

/** PBX above Queues and Voicemail, SMS beside them. */
function world(): { world: StatusWorld; pass: (milliseconds: number) => void; now: () => number } {
  const time = manualTime();
  const created = createStatusWorld({
    clock: time.clock,
    components: [
      { id: 1, name: 'PBX' },
      { id: 2, name: 'Queues', parent: 'PBX' },
      { id: 3, name: 'Voicemail', parent: 1 },
      { id: 4, name: 'Messages', parent: 'Voicemail' },
      { id: 5, name: 'SMS' },
    ],
  });
  return { world: created, pass: time.pass, now: time.clock.now };
}

function states(of: StatusWorld): Record<string, string> {
  return Object.fromEntries(of.documents().components.map(({ name, state }) => [name, state]));
}

const ALL_WELL = {
  PBX: 'operational',
  Queues: 'operational',
  Voicemail: 'operational',
  Messages: 'operational',
  SMS: 'operational',
};

describe('what notices make of components and page', () => {
  test('an incident reaches ancestors and descendants and leaves siblings alone', () => {
    const { world: status } = world();
    status.openNotice({ subject: 'Mailboxes', components: ['Voicemail'] });
    expect(states(status)).toEqual({
      ...ALL_WELL,
      PBX: 'degraded',
      Voicemail: 'degraded',
      Messages: 'degraded',
    });
    expect(status.documents().page.state).toBe('degraded');
  });

  test.each([
    ['investigating', 'degraded'],
    ['identified', 'degraded'],
    ['recovering', 'operational'],
    ['resolved', 'operational'],
    ['false_alarm', 'operational'],
    ['something-new', 'operational'],
  ])('an incident that is %s makes the page %s', (state, page) => {
    const { world: status } = world();
    status.openNotice({ subject: 'S', state, components: ['SMS'] });
    expect(status.documents().page.state).toBe(page);
    expect(states(status)['SMS']).toBe(page);
  });

  test('degraded wins over maintenance, and maintenance comes back when the incident recovers', () => {
    const { world: status, now } = world();
    const work = status.scheduleMaintenance({
      subject: 'Work',
      components: ['PBX'],
      beginsAt: now(),
      endsAt: now() + DAY,
    });
    expect(status.documents().page.state).toBe('operational');
    status.updateNotice(work, { state: 'underway', content: 'Begun.' });
    expect(states(status)).toMatchObject({
      PBX: 'under_maintenance',
      Messages: 'under_maintenance',
      SMS: 'operational',
    });
    const incident = status.openNotice({ subject: 'Queues', components: ['Queues'] });
    expect(status.documents().page.state).toBe('degraded');
    expect(states(status)).toMatchObject({ PBX: 'degraded', Queues: 'degraded', Voicemail: 'under_maintenance' });
    status.updateNotice(incident, { state: 'recovering', content: 'Better.' });
    expect(status.documents().page.state).toBe('under_maintenance');
    expect(states(status)).toMatchObject({ PBX: 'under_maintenance', Queues: 'under_maintenance' });
  });

  test('a state set by hand stands until it is given back', () => {
    const { world: status } = world();
    status.setComponentState('SMS', 'partially-degraded');
    status.setPageState('degraded');
    expect(states(status)['SMS']).toBe('partially-degraded');
    expect(status.documents().page.state).toBe('degraded');
    status.setComponentState('SMS', null);
    status.setPageState(null);
    expect(states(status)).toEqual(ALL_WELL);
    expect(status.documents().page.state).toBe('operational');
  });

  test('a withdrawn or archived notice no longer counts; a hidden one does', () => {
    const { world: status } = world();
    const withdrawn = status.openNotice({ subject: 'A', components: ['SMS'] });
    status.withdrawNotice(withdrawn);
    expect(status.documents().page.state).toBe('operational');
    expect(status.documents().details.has(withdrawn)).toBe(false);
    const hidden = status.openNotice({ subject: 'B', components: ['SMS'] });
    status.hideNotice(hidden);
    expect(status.documents().page.state).toBe('degraded');
    expect(status.documents().notices).toEqual([]);
    expect(status.documents().details.has(hidden)).toBe(true);
    status.archiveNotice(hidden, 410);
    expect(status.documents().gone.has(hidden)).toBe(true);
    status.restoreNotice(hidden);
    expect(status.documents().notices.map(({ id }) => id)).toEqual([hidden]);
  });
});

describe('the past of a page', () => {
  test('is a year of notices that are over, the same for the same seed', () => {
    const made = () => createStatusWorld({ clock: manualTime().clock, components: [{ name: 'SMS' }], past: 200 });
    const { notices, details, page } = made().documents();
    expect(page.state).toBe('operational');
    expect(notices).toHaveLength(200);
    expect(new Set(notices.map(({ timeline_state: timeline }) => timeline))).toEqual(new Set(['past_distant']));
    expect(new Set(notices.map(({ type }) => type))).toEqual(new Set(['planned', 'unplanned']));
    const late = notices.filter(({ created_at: at, ended_at: end }) => end !== null && at > end);
    expect(late.length).toBeGreaterThan(0);
    expect(details.get(1)?.components).toHaveLength(1);
    expect(made().documents().notices).toEqual(notices);
  });
});

describe('the life of a notice', () => {
  test('an incident: present while it lasts, past_recent for seven days, then past_distant', () => {
    const { world: status, pass } = world();
    const id = status.openNotice({ subject: 'S', content: 'Looking.' });
    expect(status.documents().notices[0]).toMatchObject({
      id,
      timeline_state: 'present',
      began_at: '2026-03-02T09:00:00.000Z',
      ended_at: null,
      latest_update: { state: 'investigating', content: 'Looking.' },
    });
    pass(60_000);
    status.closeNotice(id);
    expect(status.documents().notices[0]).toMatchObject({
      timeline_state: 'past_recent',
      state: 'resolved',
      ended_at: '2026-03-02T09:01:00.000Z',
    });
    pass(7 * DAY);
    expect(status.documents().notices[0]?.timeline_state).toBe('past_distant');
    status.updateNotice(id, { state: 'investigating', content: 'It is back.' });
    expect(status.documents().notices[0]).toMatchObject({ timeline_state: 'present', ended_at: null });
  });

  test('planned work: future, underway, back to scheduled, complete', () => {
    const { world: status, now } = world();
    const id = status.scheduleMaintenance({ subject: 'W', beginsAt: now() + DAY, endsAt: now() + 2 * DAY });
    expect(status.documents().notices[0]).toMatchObject({
      timeline_state: 'future',
      state: 'scheduled',
      begins_at: '2026-03-03T09:00:00.000Z',
      ends_at: '2026-03-04T09:00:00.000Z',
      began_at: null,
    });
    status.updateNotice(id, { state: 'underway' });
    expect(status.documents().notices[0]).toMatchObject({ timeline_state: 'present', state: 'underway' });
    status.updateNotice(id, { state: 'scheduled', endsAt: now() + 3 * DAY });
    expect(status.documents().notices[0]).toMatchObject({ timeline_state: 'future', began_at: null });
    status.closeNotice(id);
    expect(status.documents().notices[0]).toMatchObject({ timeline_state: 'past_recent', state: 'complete' });
  });

  test('rescheduled without an update: the window moves, the history does not grow', () => {
    const { world: status, now } = world();
    const id = status.scheduleMaintenance({ subject: 'W', beginsAt: now() + DAY, endsAt: now() + 2 * DAY });
    status.updateNotice(id, { beginsAt: now() + 3 * DAY });
    expect(status.documents().details.get(id)).toMatchObject({ begins_at: '2026-03-05T09:00:00.000Z' });
    expect(status.documents().details.get(id)?.updates).toHaveLength(1);
  });

  test('a general notice has neither state nor times, and an incident has no window', () => {
    const { world: status } = world();
    status.openNotice({ subject: 'News', type: 'general' });
    status.openNotice({ subject: 'Trouble' });
    const [incident, general] = status.documents().notices;
    expect(general).toMatchObject({ type: 'general', state: null, began_at: null, ended_at: null });
    expect(incident).not.toHaveProperty('begins_at');
  });

  test('updates are rewritten in place and a review leaves the state', () => {
    const { world: status, pass } = world();
    const id = status.openNotice({ subject: 'S', content: 'First.' });
    status.closeNotice(id, { content: 'Done.' });
    pass(1000);
    status.editUpdate(id, 0, 'First, corrected.');
    status.appendReview(id, 'What happened.');
    expect(status.documents().details.get(id)?.updates).toMatchObject([
      { state: 'investigating', content: 'First, corrected.', updated_at: '2026-03-02T09:00:01.000Z' },
      { state: 'resolved', content: 'Done.', updated_at: '2026-03-02T09:00:00.000Z' },
      { state: 'resolved', content: 'What happened.' },
    ]);
  });
});

describe('the component tree', () => {
  test('moves, renames and removals; children of what is removed move up', () => {
    const { world: status } = world();
    status.renameComponent('Voicemail', 'Mailboxes');
    status.moveComponent('Queues', null);
    status.removeComponent('Mailboxes');
    status.addComponent({ name: 'Fax', parent: 'PBX' });
    expect(status.documents().components.map(({ name, parent_id }) => [name, parent_id])).toEqual([
      ['PBX', null],
      ['Queues', null],
      ['Messages', 1],
      ['SMS', null],
      ['Fax', 1],
    ]);
  });

  test('refuses what cannot be, saying why', () => {
    const { world: status } = world();
    expect(() => status.addComponent({ id: 1, name: 'X' })).toThrow('Component 1 exists already.');
    expect(() => {
      status.moveComponent('PBX', 'Messages');
    }).toThrow('Component 1 cannot stand below itself.');
    expect(() => status.openNotice({ subject: 'S', components: ['Nothing'] })).toThrow(SimulatorError);
    expect(() => status.openNotice({ subject: 'W', type: 'planned' })).toThrow('Planned work needs a window');
    status.addComponent({ name: 'SMS' });
    expect(() => {
      status.setComponentState('SMS', 'degraded');
    }).toThrow('2 components are called "SMS"; use the id.');
  });
});

test('earlier versions are remembered, and touching moves updated_at and nothing else', () => {
  const { world: status, pass } = world();
  const before = status.documents();
  pass(5000);
  status.touch();
  const after = status.documents();
  const still = (documents: typeof before): unknown =>
    documents.components.map(({ updated_at: _moved, ...component }) => component);
  expect(still(after)).toEqual(still(before));
  expect(after.components[0]?.updated_at).toBe('2026-03-02T09:00:05.000Z');
  status.openNotice({ subject: 'S', components: ['SMS'] });
  expect(status.documents(1)).toEqual(after);
  expect(status.documents(2)).toEqual(before);
  expect(status.documents(99)).toEqual(before);
});
