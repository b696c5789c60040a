/** Reports: call lists, missed calls and agent availability. */
import type { CallRecord } from './call-book.ts';
import { findRate, countTalkSeconds } from './charges.ts';
import { formatDatetime, formatStamp, toZoned, type SpanOfTime } from './times.ts';
import type { AgentChange, ExtensionRecord } from './extension-book.ts';

export interface ReportSetting {
  serviceId: number;
  zone: string;
  /** Name of a number in a phonebook. */
  phonebookName: (number: string) => string | null;
}

function commonRow(call: CallRecord, { serviceId, zone }: ReportSetting) {
  const answered = call.answeredAt ?? 0;
  return {
    id: call.id,
    service_id: serviceId,
    answer_epoch: answered,
    end_epoch: call.endedAt,
    answer_stamp: formatStamp(answered, zone),
    end_stamp: formatStamp(call.endedAt, zone),
    created_time: call.createdAt,
    from: call.from,
    to: call.to,
    talk_duration: countTalkSeconds(call),
    duration: call.endedAt - call.createdAt,
    hangup_case: call.hangupCause,
    uuid: call.uuid,
  };
}

/** Incoming calls answered by an outside number. */
export function countIncomingToExternal(calls: readonly CallRecord[], setting: ReportSetting) {
  return calls.flatMap((call) =>
    call.divertedTo === null
      ? []
      : {
          ...commonRow(call, setting),
          to: call.divertedTo,
          external_caller_name: setting.phonebookName(call.from) ?? call.from,
          dialplan_name: call.dialplan,
          condition_name: call.condition,
        },
  );
}

/** One row per call, in order of placement. */
export function countOutgoingCalls(calls: readonly CallRecord[], setting: ReportSetting) {
  return calls
    .filter((call) => call.direction === 'outgoing')
    .map((call) => {
      const rate = findRate(call.to);
      return {
        ...commonRow(call, setting),
        parent_uuid: call.parentUuid,
        transferred_call: call.parentUuid !== null,
        rate_digits: rate.prefix,
        rate_name: rate.name,
      };
    });
}

export function countAnsweredByExtensions(calls: readonly CallRecord[], setting: ReportSetting) {
  return calls.flatMap((call) =>
    call.answeredBy === null
      ? []
      : {
          ...commonRow(call, setting),
          from_extension_name: call.direction === 'internal' ? call.fromName : null,
          to: call.answeredBy,
          to_extension_name: call.answeredByName ?? call.answeredBy,
          phonebook_name: setting.phonebookName(call.from),
          transfer_to: call.transferTo,
          transfer_from: null,
          originator: null,
          dialplan_name: call.dialplan,
          condition_name: call.condition,
          external_did: call.did ?? '0',
          skillset_name: call.skillset,
          queue_name: call.skillset,
          record_uuid: call.recordingUuid,
        },
  );
}

/** Voicemails count as missed. */
function isMissed(call: CallRecord): boolean {
  return call.direction === 'incoming' && call.answeredAt === null;
}

/** By call id. */
export function listMissedCalls(calls: readonly CallRecord[], serviceId: number) {
  return Object.fromEntries(
    calls.filter(isMissed).map((call) => [
      String(call.id),
      {
        uuid: call.uuid,
        service_id: serviceId,
        answer_epoch: 0,
        end_epoch: call.endedAt,
        from: call.from,
        external_did: call.did ?? '',
        duration: call.endedAt - call.createdAt,
        wait_sec: call.endedAt - call.createdAt,
        hangup_case: call.hangupCause,
        dialplan_name: call.dialplan,
        condition_name: call.condition,
        extensions: Object.fromEntries(
          call.rang.map(({ extension, hangupCause }) => [extension, { extension, hangup_cause: hangupCause }]),
        ),
      },
    ]),
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

interface AnsweredVsMissedQuestion {
  period: SpanOfTime;
  zone: string;
  /** DIDs to exclude. */
  exclude: readonly string[];
  /** Ignores shorter calls. */
  ignoreSeconds: number;
}

/**
 * Per hour in `headings`, per day in `legends`. `missed` excludes voicemails: answered, missed and missed_vm add up to
 * all calls.
 */
export function countAnsweredVsMissed(calls: readonly CallRecord[], question: AnsweredVsMissedQuestion) {
  const { period, zone } = question;
  const counted = calls.filter(
    (call) =>
      call.direction === 'incoming' &&
      !question.exclude.includes(call.did ?? '') &&
      call.endedAt - call.createdAt >= question.ignoreSeconds,
  );
  const answered = counted.filter((call) => !isMissed(call));
  const missed = counted.filter((call) => isMissed(call) && call.voicemailUuid === null);
  const messages = counted.filter((call) => isMissed(call) && call.voicemailUuid !== null);
  const days = daysOf(period, zone);
  const dayOf = (call: CallRecord): string => formatDatetime(call.createdAt, zone).slice(0, 10);
  const hourOf = (call: CallRecord): string => `${formatDatetime(call.createdAt, zone).slice(11, 13)}:00`;
  const perDay = (some: readonly CallRecord[]): number[] => tally(days, some, dayOf);
  const perHour = (some: readonly CallRecord[]): number[] => tally(HOURS, some, hourOf);
  return {
    exclude_did_numbers: [...question.exclude],
    ignore_seconds: question.ignoreSeconds,
    format_start_time: formatDatetime(period.start, zone),
    format_end_time: formatDatetime(period.end, zone),
    headings: HOURS,
    legends: days,
    missed: perDay(missed),
    missed_vm: perDay(messages),
    day_total_answered: perDay(answered),
    day_total_missed: perDay(missed),
    day_total_missed_vm: perDay(messages),
    day_answered_seconds: tally(days, answered, dayOf, countTalkSeconds),
    hour_total_answered: perHour(answered),
    hour_total_missed: perHour(missed),
    hour_total_missed_vm: perHour(messages),
    total_answered: answered.length,
    total_missed: missed.length,
    total_missed_vm: messages.length,
    top_10_hours: busiest(perHour(counted)),
  };
}

function daysOf(period: SpanOfTime, zone: string): string[] {
  const last = toZoned(Math.max(period.start, period.end - 1), zone).toPlainDate();
  const days: string[] = [];
  for (
    let day = toZoned(period.start, zone).toPlainDate();
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    days.push(day.toString());
  }
  return days;
}

function tally(
  labels: readonly string[],
  calls: readonly CallRecord[],
  labelOf: (call: CallRecord) => string,
  weightOf: (call: CallRecord) => number = () => 1,
): number[] {
  const totals = new Map(labels.map((label) => [label, 0]));
  for (const call of calls) totals.set(labelOf(call), (totals.get(labelOf(call)) ?? 0) + weightOf(call));
  return labels.map((label) => totals.get(label) ?? 0);
}

function busiest(perHour: readonly number[]): string[] {
  return perHour
    .map((count, hour) => ({ count, label: HOURS[hour] ?? '' }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count)
    .slice(0, 10)
    .map(({ label }) => label);
}

interface AvailabilityQuestion {
  period: SpanOfTime;
  zone: string;
  /** Extension numbers and statuses to include; empty for all. */
  agents: readonly string[];
  statuses: readonly string[];
  /** Epoch seconds; a status that still applies counts until then. */
  now: number;
}

/** One row per status change in the period; `duration` in seconds. */
export function computeAgentAvailability(
  changes: readonly AgentChange[],
  extensions: readonly ExtensionRecord[],
  question: AvailabilityQuestion,
) {
  const { period, zone, agents, statuses, now } = question;
  const names = new Map(extensions.map((extension) => [extension.user_id, extension.name]));
  return changes.flatMap((change, index) => {
    const wanted =
      (agents.length === 0 || agents.includes(change.userId)) &&
      (statuses.length === 0 || statuses.includes(change.status)) &&
      change.since >= period.start &&
      change.since < period.end;
    if (!wanted) return [];
    const next = changes.slice(index + 1).find((later) => later.userId === change.userId);
    return {
      user_id: change.userId,
      name: names.get(change.userId) ?? change.userId,
      status: change.status,
      epoch: Math.floor(change.since),
      date_time: formatDatetime(change.since, zone),
      timezone: zone,
      duration: Math.floor((next?.since ?? now) - change.since),
    };
  });
}
