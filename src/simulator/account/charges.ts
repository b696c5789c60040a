/** Call rates and rows of a bill. */
import type { CallRecord } from './call-book.ts';
import { DEFAULT_ZONE, formatDatetime } from './times.ts';

interface Rate {
  prefix: string;
  name: string;
  /** Dollars per call and per minute. */
  flagfall: number;
  perMinute: number;
}

/** The longest matching prefix applies. */
const RATES: readonly Rate[] = [
  { prefix: '614', name: 'Australia Mobile', flagfall: 0, perMinute: 0.11 },
  { prefix: '61', name: 'Australia National', flagfall: 0.08, perMinute: 0 },
  { prefix: '13', name: 'Australia 13 Numbers', flagfall: 0.3, perMinute: 0 },
  { prefix: '64', name: 'New Zealand', flagfall: 0, perMinute: 0.04 },
  { prefix: '44', name: 'United Kingdom', flagfall: 0, perMinute: 0.05 },
  { prefix: '53', name: 'Cuba', flagfall: 0.1, perMinute: 1.05 },
  { prefix: '371', name: 'Latvia', flagfall: 0.1, perMinute: 0.62 },
  { prefix: '252', name: 'Somalia', flagfall: 0.1, perMinute: 0.95 },
  { prefix: '190', name: 'Premium 190', flagfall: 0, perMinute: 4.95 },
  { prefix: '', name: 'International', flagfall: 0.1, perMinute: 0.35 },
];
const INBOUND: Rate = { prefix: '1300', name: 'Inbound 1300', flagfall: 0, perMinute: 0.06 };

/** The longest matching prefix; a number without one is internal. */
export function findRate(to: string): Rate {
  const fitting = RATES.filter(({ prefix }) => to.startsWith(prefix));
  return fitting.toSorted((left, right) => right.prefix.length - left.prefix.length)[0] ?? INBOUND;
}

/** 0 for unanswered calls. */
export function countTalkSeconds(call: CallRecord): number {
  return call.answeredAt === null ? 0 : call.endedAt - call.answeredAt;
}

/** Dollars, to a hundredth of a cent. */
function chargeOf(call: CallRecord, rate: Rate): number {
  if (call.corrected !== null) return call.corrected;
  return Math.round((rate.flagfall + (rate.perMinute * countTalkSeconds(call)) / 60) * 10_000) / 10_000;
}

function chargeRow(call: CallRecord, rate: Rate, serviceId: number, zone: string) {
  return {
    unique_id: call.id,
    service_id: serviceId,
    external_did: call.did,
    from: call.from,
    to: call.to,
    charge: chargeOf(call, rate),
    start_time: formatDatetime(call.answeredAt ?? call.createdAt, zone),
    end_time: formatDatetime(call.endedAt, zone),
    seconds: countTalkSeconds(call),
    auth_code: null,
    hangup_cause: call.hangupCause,
    on_net: 0,
    call_rate_prefix: rate.prefix,
    call_rate_name: rate.name,
  };
}

/** Answered calls to outside numbers, including legs of forwarded calls. */
export function listOutgoingCharges(calls: readonly CallRecord[], serviceId: number, zone: string = DEFAULT_ZONE) {
  return calls
    .filter((call) => call.direction === 'outgoing' && call.answeredAt !== null)
    .flatMap(repeated)
    .map((call) => ({
      ...chargeRow(call, findRate(call.to), serviceId, zone),
      transferred_call: call.parentUuid !== null,
      uuid: call.uuid,
      parent_uuid: call.parentUuid,
    }));
}

/** Answered calls to the account's own 13 and 1300 numbers: the called party pays. */
export function listCollectionCharges(calls: readonly CallRecord[], serviceId: number, zone: string = DEFAULT_ZONE) {
  return calls
    .filter((call) => call.direction === 'incoming' && call.answeredAt !== null && (call.did ?? '').startsWith('13'))
    .flatMap(repeated)
    .map((call) => chargeRow(call, INBOUND, serviceId, zone));
}

function repeated(call: CallRecord): CallRecord[] {
  return call.isBilledTwice ? [call, call] : [call];
}
