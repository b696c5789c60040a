/** The three reports that list calls, one row a call. */
import type { Call } from '../calls.ts';
import { rateOf, talkSeconds } from '../charges.ts';
import { stamp } from '../times.ts';

export interface ReportSetting {
  serviceId: number;
  zone: string;
  /** Under which name a number stands in a phonebook. */
  phonebookName: (number: string) => string | null;
}

function commonRow(call: Call, { serviceId, zone }: ReportSetting) {
  const answered = call.answeredAt ?? 0;
  return {
    id: call.id,
    service_id: serviceId,
    answer_epoch: answered,
    end_epoch: call.endedAt,
    answer_stamp: stamp(answered, zone),
    end_stamp: stamp(call.endedAt, zone),
    created_time: call.createdAt,
    from: call.from,
    to: call.to,
    talk_duration: talkSeconds(call),
    duration: call.endedAt - call.createdAt,
    hangup_case: call.hangupCause,
    uuid: call.uuid,
  };
}

/** Calls from outside that an outside number took. */
export function incomingToExternal(calls: readonly Call[], setting: ReportSetting) {
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

export function outgoingCalls(calls: readonly Call[], setting: ReportSetting) {
  return calls
    .filter((call) => call.direction === 'outgoing')
    .map((call) => {
      const rate = rateOf(call.to);
      return {
        ...commonRow(call, setting),
        parent_uuid: call.parentUuid,
        transferred_call: call.parentUuid !== null,
        rate_digits: rate.prefix,
        rate_name: rate.name,
      };
    });
}

/** Calls from outside or inside that an extension took. */
export function answeredByExtensions(calls: readonly Call[], setting: ReportSetting) {
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
