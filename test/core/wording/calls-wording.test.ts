/** Messages about calls, word by word, as people read them. */
import { describe, expect, test } from 'vitest';
import type { MissedDetails, FraudDetails } from '../../../src/core/transition/call-details.ts';
import type { Kind } from '../../../src/core/transition/kind.ts';
import type { ContentOf } from '../../../src/core/transition/transition.ts';
import { maskTransition } from '../../../src/core/transition/mask-transition.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { change, message, TIMEZONE } from '../../support/messages.ts';

/** Tuesday, 24 March 2026 in Melbourne. */
const at = (time: string): string => new Date(`2026-03-24T${time}:00+11:00`).toISOString();
const country = '61';

function read<K extends Kind>(kind: K, now: string, content: ContentOf<K>, isMasked = true) {
  const when = Date.parse(at(now));
  const told = change(kind, 'calls', content, 'open', when, 'acme');
  const seen = isMasked ? { ...told, transition: maskTransition(told.transition) } : told;
  const options = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: when, customer: () => 'Acme' };
  const { headline, sentences, lists } = composeContent(message([seen], { source: 'acme' }), options);
  return { headline, sentences, lists: lists.map(({ items }) => items) };
}

const caller = { number: '0491570209', called: ['1300555019'], left_message: false, called_back: false };
const missed: MissedDetails = {
  since: at('14:03'),
  until: at('15:10'),
  callers: [{ ...caller, times: [at('14:07'), at('14:12')], left_message: true }],
  more: 8,
  total: 23,
  waiting: 9,
  called_back: 0,
  messages: 4,
  withheld: 0,
  misdialled: 0,
  usual: { least: 31, most: 44 },
  country,
};

describe('missed callers', () => {
  test('are told after the outage, each with times, masked number and message', () => {
    const told = read('calls.missed', '15:25', { from: null, to: 9, details: missed });
    expect(told.headline).toBe('Acme: 9 of 23 callers of the outage (14:03–15:10) still wait');
    expect(told.lists[0]?.[0]).toBe('14:07, 14:12 · 04•• ••• 209 · left a message');
    expect(told.sentences).toEqual([
      'Calls that failed before your account are not known; usually 31–44 come at this time.',
    ]);
  });

  test('are told with whole numbers where a receiver may read them', () => {
    const told = read('calls.missed', '15:25', { from: null, to: 9, details: missed }, false);
    expect(told.lists[0]?.[0]).toBe('14:07, 14:12 · 0491 570 209 · left a message');
  });

  test('are counted as called back', () => {
    const details = { ...missed, waiting: 3, called_back: 6 };
    const told = read('calls.missed', '15:25', { from: null, to: 3, details });
    expect(told.sentences[0]).toBe('6 of 9 have been called back since.');
  });

  test('of a toggle that was on by mistake are told as its callers', () => {
    const toggle = { name: 'After hours', on: true };
    const details = { ...missed, since: at('08:30'), until: at('09:14'), more: 10, total: 11, waiting: 11, toggle };
    const told = read('calls.missed', '09:29', { from: null, to: 11, details });
    expect(told.headline).toBe(
      'Acme: “After hours” was on by mistake 08:30–09:14: 11 callers were not answered, 4 left a message',
    );
  });
});

describe('spend', () => {
  test('of the day is told with its usual range', () => {
    const told = read('spend.limit', '13:40', {
      from: null,
      to: 80,
      details: {
        period: 'day',
        of: '2026-03-24',
        currency: 'AUD',
        spent: 41.2,
        limit: 50,
        as_of: at('13:40'),
        usual: { least: 12, most: 19 },
        severity: 'warning',
      },
    });
    expect(told.headline).toBe('Acme: AUD 41.20 of 50 in call charges today, by 13:40; on such days usually 12–19');
    expect(told.sentences).toContain('Call charges only, as billed so far.');
  });

  test('of the month is told as a range', () => {
    const details = { month: '2026-03', currency: 'AUD', low: 540, high: 720, spent: 310, limit: 600 };
    const told = read('spend.forecast', '13:40', { from: null, to: 720, details });
    expect(told.headline).toBe('Acme: The month will reach AUD 540–720 of 600 (8 in 10)');
  });
});

describe('fraud', () => {
  const details: FraudDetails = {
    rules: [{ rule: 'F1', severity: 'critical' }],
    calls: 14,
    since: at('02:11'),
    last: at('02:50'),
    destinations: [{ code: '53', calls: 14, never_called: true }],
    numbers: [{ number: '5371234567', calls: 14 }],
    from: [{ number: '61390004100', calls: 14, extension: null, extension_id: '40012', used_by: 15 }],
    billed: 88,
    currency: 'AUD',
    new: [{ extension: '1012', kind: 'network', value: '203.0.113.0/24', at: at('01:11') }],
    hotline: '1300 555 000',
    severity: 'critical',
    country,
  };

  test('is told with destination, origin, what is new, and how to stop it', () => {
    const told = read('fraud.suspected', '02:55', { from: null, to: 14, details }, false);
    expect(told.headline).toBe(
      'Acme: Fraud suspected: 14 calls to Cuba (+53) from 02:11, never called before, AUD 88 billed so far',
    );
    expect(told.sentences).toEqual([
      'All from 0390 004 100, which 15 extensions use.',
      'New an hour before: 1012 from 203.0.113.0/24.',
      'To stop it: linewatch account extensions update 40012 --account acme --tolls … (without international), a new password, then 1300 555 000.',
    ]);
  });

  test('says how long before, and the time of what is new later', () => {
    const newAt = (time: string): string | undefined => {
      const fresh = details.new.map((one) => ({ ...one, at: at(time) }));
      return read('fraud.suspected', '02:55', { from: null, to: 14, details: { ...details, new: fresh } }).sentences[1];
    };
    expect(newAt('01:51')).toBe('New 20 min before: 1012 from 203.0.113.0/24.');
    expect(newAt('02:20')).toMatch(/^New at .*02:20: 1012 from /);
  });
});

test('a dead route is told with its number, dialplan and condition', () => {
  const route = { dialplan: 'Main line', condition: 'Business hours', extensions: ['1001'] };
  const details = {
    number: '1300555019',
    ...route,
    since: at('09:02'),
    callers: 5,
    severity: 'critical',
    country,
  } as const;
  const told = read('route.dead', '09:40', { from: null, to: 5, details });
  expect(told.headline).toBe(
    'Acme: Callers of 1300 ••• 019 (Main line, Business hours) reach nobody: 5 since 09:02, no phone rang',
  );
});

describe('agents', () => {
  const none = { skillset: 'Support', since: at('09:40'), wanted: 1, severity: 'warning' } as const;

  test('that are Available without a registered phone are told by their extensions', () => {
    const unregistered = ['1002', '1008', '1011'].map((extension) => ({ extension, name: 'Agent' }));
    const details = { ...none, available: 3, unregistered, gave_up: null };
    const told = read('agents.none', '09:46', { from: null, to: 3, details });
    expect(told.headline).toBe(
      'Acme: Support: 3 agents are Available, none of their phones is registered (1002, 1008, 1011)',
    );
  });

  test('that are missing are told with the callers who gave up', () => {
    const details = { ...none, available: 0, unregistered: [], gave_up: 2 };
    const told = read('agents.none', '09:46', { from: null, to: 0, details });
    expect(told.headline).toBe('Acme: Support has had no agent since 09:40; 2 callers waited and gave up');
  });
});
