/** Calls as tests tell them, with everything that is not said left as in an ordinary call. */
import type { Call, CallKind } from '../../../src/core/calls/call-model.ts';

/** Tue 24 Mar 2026 13:00 in Melbourne, epoch seconds. */
export const NOON = 1_774_317_600;
export const MELBOURNE = 'Australia/Melbourne';

let next = 0;

/** `at`: seconds after `NOON` at which it began. */
export function callOf(kind: CallKind, at: number, rest: Partial<Call> & { lasted?: number } = {}): Call {
  next += 1;
  const { lasted = 30, ...given } = rest;
  const began = NOON + at;
  return {
    kind,
    id: `${kind}-${next}`,
    uuid: kind === 'outgoing' ? `uuid-${next}` : '',
    began,
    ended: began + lasted,
    talk: kind === 'missed' ? 0 : Math.max(0, lasted - 5),
    from: '0412345209',
    to: kind === 'outgoing' ? '0398765432' : '1001',
    did: kind === 'missed' || kind === 'answered' ? '1300555019' : '',
    dialplan: 'Main line',
    condition: 'Business hours',
    rang: [],
    rate: kind === 'outgoing' ? '61' : '',
    queue: '',
    listed: false,
    ...given,
  };
}
