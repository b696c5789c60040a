/** How bad an incident is, by what each vendor says of it; what says nothing of it is judged by its state. */
import { expect, it } from 'vitest';
import type { VendorTypeName } from '../../src/pages/types.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { MINUTE, NOON, standIn, vendorWatch, type PaperAnswer } from './vendor-watch.ts';

type Words = readonly [said: string, severity: 'critical' | 'warning' | 'info'];

/** What the embedded provider says of an open incident, and what may stand there in its place. */
const TABLES: Readonly<Record<VendorTypeName, { said: string; words: readonly Words[] }>> = {
  statuspage: {
    said: '"impact":"major"',
    words: [
      ['"impact":"critical"', 'critical'],
      ['"impact":"major"', 'critical'],
      ['"impact":"minor"', 'warning'],
      ['"impact":"none"', 'warning'],
      ['"impact":null', 'critical'],
    ],
  },
  instatus: {
    said: '"impact":"PARTIALOUTAGE"',
    words: [
      ['"impact":"MAJOROUTAGE"', 'critical'],
      ['"impact":"PARTIALOUTAGE"', 'critical'],
      ['"impact":"MINOROUTAGE"', 'warning'],
      ['"impact":"DEGRADEDPERFORMANCE"', 'warning'],
      ['"impact":"OPERATIONAL"', 'warning'],
      ['"impact":null', 'critical'],
    ],
  },
  betterstack: {
    said: '"aggregate_state":"downtime","affected',
    words: [
      ['"aggregate_state":"downtime","affected', 'critical'],
      ['"aggregate_state":"degraded","affected', 'warning'],
    ],
  },
  statusio: {
    said: '"status":400',
    words: [
      ['"status":600', 'critical'],
      ['"status":500', 'critical'],
      ['"status":400', 'critical'],
      ['"status":300', 'warning'],
      ['"status":null', 'critical'],
    ],
  },
  statuscast: {
    said: '"Status":"investigating"',
    words: [
      ['"Status":"Unavailable"', 'critical'],
      ['"Status":"Degraded"', 'warning'],
      ['"Status":"Investigating"', 'critical'],
      ['"Status":"Monitored"', 'info'],
      ['"Status":"Informational"', 'info'],
    ],
  },
  slack: {
    said: '"type":"incident"',
    words: [
      ['"type":"outage"', 'critical'],
      ['"type":"notice"', 'warning'],
      ['"type":"incident"', 'warning'],
      // A type that nobody documented is judged by the state.
      ['"type":"catastrophe"', 'critical'],
    ],
  },
  'google-cloud': {
    said: '"status_impact":"SERVICE_DISRUPTION"',
    words: [
      ['"status_impact":"SERVICE_OUTAGE"', 'critical'],
      ['"status_impact":"SERVICE_DISRUPTION"', 'critical'],
      ['"status_impact":"SERVICE_INFORMATION"', 'warning'],
    ],
  },
  aws: {
    said: '"status":"3"',
    words: [
      ['"status":"3"', 'critical'],
      ['"status":"2"', 'warning'],
      ['"status":"1"', 'warning'],
    ],
  },
  feed: {
    said: 'Investigating',
    words: [
      ['Investigating', 'critical'],
      ['Identified', 'critical'],
      ['Monitoring', 'info'],
      ['News', 'info'],
    ],
  },
};

function textOf(answer: PaperAnswer): string {
  if ('json' in answer) return JSON.stringify(answer.json);
  if (!('body' in answer)) return '';
  const { body } = answer;
  return typeof body === 'string' ? body : new TextDecoder(body[0] === 0xfe ? 'utf-16be' : 'utf-8').decode(body);
}

async function judged(type: VendorTypeName, bend: (text: string) => string, isWork = false): Promise<unknown> {
  let now = (): number => NOON;
  const world = createStatusWorld({ clock: { now: () => now() }, components: [{ id: 11, name: 'Voice' }] });
  const { answer, base } = standIn(type, world);
  const page = await vendorWatch(
    type,
    (path) => {
      const shown = answer(path);
      if (shown === undefined) return undefined;
      return { body: bend(textOf(shown)), type: type === 'feed' ? 'application/atom+xml' : 'application/json' };
    },
    { base },
  );
  ({ now } = page);
  await page.look();
  const beginsAt = now() + 60 * MINUTE;
  if (isWork) world.scheduleMaintenance({ subject: 'Works', components: [11], beginsAt, endsAt: beginsAt + MINUTE });
  else world.openNotice({ subject: 'No calls', components: [11] });
  page.messages();
  await page.look();
  return page.messages().find(({ kinds }) => kinds.includes('notice.opened'))?.severity;
}

const types = Object.keys(TABLES) as VendorTypeName[];

it.each(types.flatMap((type) => TABLES[type].words.map((each) => [type, ...each] as const)))(
  '%s: %s is %s',
  async (type, word, severity) => {
    let isThere = false;
    const bend = (text: string): string => {
      isThere ||= text.includes(TABLES[type].said);
      return text.replaceAll(TABLES[type].said, word);
    };
    expect(await judged(type, bend)).toBe(severity);
    expect(isThere).toBe(true);
  },
);

it.each(types.filter((type) => type !== 'aws' && type !== 'google-cloud'))('%s: planned work is info', async (type) => {
  expect(await judged(type, (text) => text, true)).toBe('info');
});
