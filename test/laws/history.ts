/**
 * Whole histories of a provider as data: moves that a world carries out, and the weather each sweep meets.
 * A move that does not apply (an update of a notice that is not there) does nothing, so that any part of a
 * failing history is a history too and fast-check can make it small.
 */
import fc from 'fast-check';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { CLEAR, type Fault, type Weather } from './paper-reader.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const START = Date.parse('2026-03-02T09:00:00.000Z');

export const EVENTS = [
  'incident',
  'update',
  'state',
  'resolve',
  'false alarm',
  'maintenance',
  'underway',
  'complete',
  'cancel',
  'back',
  'reschedule',
  'subject',
  'impact',
  'edit',
  'review',
  'withdraw',
  'archive',
  'hide',
  'restore',
  'recreate',
  'general',
  'degrade',
  'release',
  'odd state',
  'add',
  'remove',
  'rename',
  'move',
  'page state',
  'page free',
  'page name',
  'type',
] as const;
const NOISE = ['describe', 'touch', 'reorder'] as const;
export type MoveKind = (typeof EVENTS)[number] | (typeof NOISE)[number];

export interface Move {
  kind: MoveKind;
  /** Which notice, which component: taken modulo how many there are. */
  which: number;
  other: number;
}

export interface Round {
  moves: Move[];
  /** Time until the sweep. */
  afterMs: number;
  weather: Weather;
  restart: boolean;
}

const COMPONENTS = [
  { id: 1, name: 'Trunks' },
  { id: 2, name: 'Trunks North', parent: 1 },
  { id: 3, name: 'Trunks South', parent: 1 },
  { id: 4, name: 'Phones' },
  { id: 5, name: 'Registrations', parent: 4 },
  { id: 6, name: 'SMS' },
];

export interface Play {
  world: StatusWorld;
  now(): number;
  pass(ms: number): void;
  /** True when the move changed what the provider says. */
  make(move: Move): boolean;
}

/** Time that a play moves, be it its own or a virtual clock that others sleep by. */
export interface Stage {
  now(): number;
  advance(ms: number): void;
}

function ownStage(): Stage {
  let now = START;
  return { now: () => now, advance: (ms) => void (now += ms) };
}

export function beginPlay(stage: Stage = ownStage()): Play {
  let counter = 0;
  const world = createStatusWorld({ clock: stage, name: 'Provider', components: COMPONENTS });

  function make({ kind, which, other }: Move): boolean {
    const documents = world.documents();
    const { components } = documents;
    const details = [...documents.details.values()];
    const listed = new Set(documents.notices.map(({ id }) => id));
    const component = components[which % Math.max(1, components.length)];
    const second = components[other % Math.max(1, components.length)];
    const hit = [component, second].flatMap((one) => (one === undefined ? [] : [one.id]));
    const impact = [...new Set(hit)];
    const notice = details[which % Math.max(1, details.length)];
    const open = notice !== undefined && !notice.timeline_state.startsWith('past');
    const planned = notice?.type === 'planned';
    counter += 1;
    // No two changes at one instant: what is older than what must be seen in its times.
    stage.advance(SECOND);
    const now = stage.now();
    const text = `Word ${counter}`;
    switch (kind) {
      case 'incident':
        world.openNotice({
          subject: `Incident ${counter}`,
          components: impact,
          state: other % 3 === 0 ? 'identified' : 'investigating',
        });
        return true;
      case 'general':
        world.openNotice({ type: 'general', subject: `News ${counter}`, components: [] });
        return true;
      case 'maintenance':
        world.scheduleMaintenance({
          subject: `Work ${counter}`,
          components: impact,
          beginsAt: now + ((other % 7) - 1) * HOUR + counter * SECOND,
          endsAt: now + ((other % 7) + 2) * HOUR + counter * SECOND,
        });
        return true;
      case 'update':
        if (notice === undefined || !open) return false;
        world.updateNotice(notice.id, { content: text });
        return true;
      case 'state':
        if (notice === undefined || planned || notice.type === 'general') return false;
        world.updateNotice(notice.id, {
          content: text,
          state: ['investigating', 'identified', 'recovering', 'mystified'][other % 4] ?? 'identified',
        });
        return true;
      case 'resolve':
      case 'false alarm':
        if (notice === undefined || planned || !open || notice.type === 'general') return false;
        world.closeNotice(notice.id, { content: text, ...(kind === 'resolve' ? {} : { state: 'false_alarm' }) });
        return true;
      case 'underway':
      case 'complete':
      case 'cancel':
      case 'back': {
        if (notice === undefined || !planned || !open) return false;
        const state = { underway: 'underway', complete: 'complete', cancel: 'cancelled', back: 'scheduled' }[kind];
        world.updateNotice(notice.id, { state, content: text });
        return true;
      }
      case 'reschedule':
        if (notice === undefined || !planned) return false;
        world.updateNotice(notice.id, { beginsAt: now + counter * MINUTE, endsAt: now + (counter + 60) * MINUTE });
        return true;
      case 'subject':
        if (notice === undefined) return false;
        world.updateNotice(notice.id, { subject: `Subject ${counter}` });
        return true;
      case 'type':
        if (notice === undefined || planned) return false;
        world.updateNotice(notice.id, { type: notice.type === 'general' ? 'unplanned' : 'general' });
        return true;
      case 'impact':
        if (notice === undefined) return false;
        world.updateNotice(notice.id, { components: impact });
        return true;
      case 'edit':
        if (notice === undefined) return false;
        world.editUpdate(notice.id, 0, text);
        return true;
      case 'review':
        if (notice === undefined || open) return false;
        world.appendReview(notice.id, text);
        return true;
      case 'withdraw':
        if (notice === undefined) return false;
        world.withdrawNotice(notice.id);
        return true;
      case 'archive':
        if (notice === undefined || open) return false;
        world.archiveNotice(notice.id, other % 2 === 0 ? 404 : 410);
        return true;
      case 'hide':
        if (notice === undefined) return false;
        world.hideNotice(notice.id);
        return true;
      case 'restore': {
        const hidden = details.filter(({ id }) => !listed.has(id));
        const back = hidden[which % Math.max(1, hidden.length)];
        if (back === undefined) return false;
        world.restoreNotice(back.id);
        return true;
      }
      case 'recreate':
        if (notice === undefined || !open || notice.type === 'general') return false;
        world.withdrawNotice(notice.id);
        world.openNotice({
          type: planned ? 'planned' : 'unplanned',
          subject: notice.subject,
          components: notice.components.map(({ id }) => id),
          ...(notice.state === null ? {} : { state: notice.state }),
          ...(planned
            ? { beginsAt: Date.parse(notice.begins_at ?? ''), endsAt: Date.parse(notice.ends_at ?? '') }
            : {}),
        });
        return true;
      case 'degrade':
      case 'odd state':
        if (component === undefined) return false;
        world.setComponentState(component.id, kind === 'degrade' ? 'degraded' : 'partially-degraded');
        return true;
      case 'release':
        if (component === undefined) return false;
        world.setComponentState(component.id, null);
        return true;
      case 'add':
        if (components.length > 12) return false;
        world.addComponent({ name: `Part ${counter}`, parent: other % 2 === 0 ? (component?.id ?? null) : null });
        return true;
      case 'remove':
        if (component === undefined || components.length < 3) return false;
        world.removeComponent(component.id);
        return true;
      case 'rename':
        if (component === undefined) return false;
        world.renameComponent(component.id, `Name ${counter}`);
        return true;
      case 'move':
        if (component === undefined || second === undefined || component.parent_id === null) return false;
        world.moveComponent(component.id, null);
        return true;
      case 'page state':
        world.setPageState(['degraded', 'under_maintenance', 'odd'][other % 3] ?? null);
        return true;
      case 'page free':
        world.setPageState(null);
        return true;
      case 'page name':
        world.renamePage(`Page ${counter}`);
        return true;
      case 'describe':
        if (component !== undefined) world.describeComponent(component.id, text);
        return false;
      case 'touch':
        world.touch();
        return false;
      case 'reorder':
        world.reorder();
        return false;
      default:
        return kind satisfies never;
    }
  }

  return { world, now: () => stage.now(), pass: (ms) => stage.advance(ms), make };
}

// Arbitraries

const which = fc.nat(11);
export const anyMove: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom<MoveKind>(
    ...EVENTS,
    ...NOISE,
    'incident',
    'state',
    'state',
    'resolve',
    'update',
    'degrade',
    'release',
  ),
  which,
  other: which,
});
export const noiseMove: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom<MoveKind>(...NOISE),
  which,
  other: which,
});

const rest = fc.constantFrom(
  30 * SECOND,
  30 * SECOND,
  30 * SECOND,
  10 * SECOND,
  5 * MINUTE,
  12 * MINUTE,
  26 * HOUR,
  8 * 24 * HOUR,
);

function weatherOf(fault: fc.Arbitrary<Fault>): fc.Arbitrary<Weather> {
  return fc.record({
    page: fault,
    components: fault,
    present: fault,
    future: fault,
    past_recent: fault,
    detail: fault,
  });
}

const fault: fc.Arbitrary<Fault> = fc.constantFrom(
  'clear',
  'clear',
  'missed',
  'truncated',
  'duplicate',
  'reversed',
  'junk',
  'short',
);
const passing: fc.Arbitrary<Fault> = fc.constantFrom('clear', 'clear', 'clear', 'stale', 'missed');
export const clearWeather: fc.Arbitrary<Weather> = fc.constant(CLEAR);
export const badWeather: fc.Arbitrary<Weather> = fc.oneof(clearWeather, weatherOf(fault), weatherOf(passing));

export function history(weather: fc.Arbitrary<Weather>, restarts = false): fc.Arbitrary<Round[]> {
  return fc.array(
    fc.record({
      moves: fc.array(anyMove, { maxLength: 4 }),
      afterMs: rest,
      weather,
      restart: restarts ? fc.constantFrom(false, false, true) : fc.constant(false),
    }),
    { minLength: 1, maxLength: 30, size: 'max' },
  );
}

/** A history as a person reads it, a round a line. */
export function written(rounds: readonly Round[]): string {
  return rounds
    .map(({ moves, afterMs, weather, restart }) => {
      const bad = Object.entries(weather).filter(([, fault]) => fault !== 'clear');
      const made = moves.map(({ kind, which: one, other }) => `${kind} ${one} ${other}`).join(', ');
      const said = bad.map(([part, fault]) => `${part} ${fault}`).join(', ');
      return `\n  ${restart ? 'restart; ' : ''}${made}; after ${afterMs / SECOND} s${said === '' ? '' : `; ${said}`}`;
    })
    .join('');
}
