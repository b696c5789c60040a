/** Sample content of changes in calls; all of it is invented. */
import { toTimestamp, type Timestamp } from '../../transition/details.ts';
import { HOUR, MINUTE } from '../../text/duration.ts';
import type { CallsWordingKind } from '../phones/calls-wording.ts';
import type { Samples } from './sample-notices.ts';

const country = '61';
const number = '0491570156';
const at = (time: number): Timestamp => toTimestamp(time) ?? '';

export const callSamples: Samples<CallsWordingKind> = {
  'calls.missed': (now) => ({
    subject: 'calls',
    status: 'info',
    severity: 'warning',
    from: null,
    to: 1,
    details: {
      since: at(now - HOUR),
      until: at(now - 15 * MINUTE),
      callers: [
        {
          number,
          times: [at(now - 50 * MINUTE), at(now - 45 * MINUTE)],
          called: ['1300555019'],
          left_message: true,
          called_back: false,
        },
      ],
      more: 0,
      total: 3,
      waiting: 1,
      called_back: 0,
      messages: 1,
      withheld: 1,
      misdialled: 0,
      usual: { least: 31, most: 44 },
      country,
    },
  }),
  'spend.limit': (now) => ({
    subject: 'spend/day',
    status: 'open',
    severity: 'warning',
    from: null,
    to: 80,
    details: {
      period: 'day',
      of: at(now).slice(0, 10),
      currency: 'AUD',
      spent: 41.2,
      limit: 50,
      as_of: at(now),
      usual: { least: 12, most: 19 },
      severity: 'warning',
    },
  }),
  'spend.forecast': (now) => ({
    subject: 'spend/forecast',
    status: 'info',
    severity: 'info',
    from: null,
    to: 720,
    details: { month: at(now).slice(0, 7), currency: 'AUD', low: 540, high: 720, spent: 310, limit: 600 },
  }),
  'calls.stale': (now) => ({
    subject: 'calls/outgoing',
    status: 'info',
    severity: 'warning',
    from: null,
    to: 4,
    details: { report: 'outgoing', since: at(now - 4 * HOUR) },
  }),
  'fraud.suspected': (now) => ({
    subject: 'fraud',
    status: 'open',
    severity: 'critical',
    from: null,
    to: 14,
    details: {
      rules: [{ rule: 'F1', severity: 'critical' }],
      calls: 14,
      since: at(now - HOUR),
      last: at(now - MINUTE),
      destinations: [{ code: '53', calls: 14, never_called: true }],
      numbers: [{ number: '5371234567', calls: 14 }],
      from: [{ number: '61390004100', calls: 14, extension: null, extension_id: null, used_by: 15 }],
      billed: 88,
      currency: 'AUD',
      new: [{ extension: '1012', kind: 'network', value: '203.0.113.0/24', at: at(now - 2 * HOUR) }],
      hotline: '1300 555 000',
      severity: 'critical',
      country,
    },
  }),
  'route.dead': (now) => ({
    subject: 'route/0a1b2c3d',
    status: 'open',
    severity: 'critical',
    from: null,
    to: 5,
    details: {
      number: '1300555019',
      dialplan: 'Main line',
      condition: 'Business hours',
      since: at(now - HOUR),
      callers: 5,
      extensions: ['1001', '1002'],
      severity: 'critical',
      country,
    },
  }),
  'agents.none': (now) => ({
    subject: 'skillset/Support',
    status: 'open',
    severity: 'warning',
    from: null,
    to: 0,
    details: {
      skillset: 'Support',
      since: at(now - 10 * MINUTE),
      available: 0,
      wanted: 1,
      unregistered: [],
      gave_up: 2,
      severity: 'warning',
    },
  }),
};
