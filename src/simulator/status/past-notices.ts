/**
 * Past notices of an established page: incidents and planned work, most published within minutes, some hours late, a
 * few after their end.
 */
import { DAY, HOUR, MINUTE } from '../../core/text/duration.ts';
import { createRandom } from '../random.ts';
import type { NoticeDraft } from './notices.ts';

const TROUBLE: readonly [string, ...string[]] = [
  'Inbound calls failing',
  'One-way audio on some calls',
  'Registrations dropping',
  'Delayed voicemail notifications',
  'Messages not delivered',
  'Portal slow to load',
  'Calls to some networks failing',
];
const WORK: readonly [string, ...string[]] = [
  'Switch upgrade',
  'Carrier maintenance',
  'Database maintenance',
  'Firmware of session border controllers',
];

/** Oldest first, over the year that ended ten days ago. Determined by seed and time. */
export function createPastNotices(
  count: number,
  { now, seed, components }: { now: number; seed: number; components: readonly number[] },
): NoticeDraft[] {
  const { next, pick, chance } = createRandom(seed);
  const step = (355 * DAY) / Math.max(1, count);
  return Array.from({ length: count }, (_, index): NoticeDraft => {
    const beganAt = Math.round((now - 365 * DAY + (index + next() / 2) * step) / MINUTE) * MINUTE;
    const lasted = Math.round(10 + next() ** 3 * 600) * MINUTE;
    const endedAt = beganAt + lasted;
    const [first, ...others] = components;
    const some =
      first === undefined ? [] : [pick([first, ...others]), ...(chance(0.3) ? [pick([first, ...others])] : [])];
    const of = { id: index + 1, componentIds: [...new Set(some)], beganAt, endedAt };
    if (chance(0.25)) {
      const window = { beginsAt: beganAt, endsAt: endedAt, createdAt: beganAt - 3 * DAY };
      return { ...of, ...window, type: 'planned', state: 'complete', subject: pick(WORK) };
    }
    const lateness = chance(0.05) ? lasted + HOUR : chance(0.1) ? lasted / 2 : 4 * MINUTE;
    const state = chance(0.05) ? 'false_alarm' : 'resolved';
    return { ...of, createdAt: beganAt + lateness, type: 'unplanned', state, subject: pick(TROUBLE) };
  });
}
