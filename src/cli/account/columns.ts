/**
 * Which fields a table begins with. Only listings wider than a terminal are named here; any other shows the fields of
 * its schema in order. `--columns` chooses, `--json` has them all.
 */
import type { AccountOperationId } from '../../provider/catalogue/account.ts';

const CHARGES = ['start_time', 'from', 'to', 'seconds', 'charge', 'call_rate_name', 'hangup_cause'];

const COLUMNS: { readonly [Id in AccountOperationId]?: readonly string[] } = {
  'billing.calls.outgoing.list': CHARGES,
  'billing.calls.collection.list': CHARGES,
  // Assigning a number takes the two ids, which the listing is documented to give and not documented to name.
  'order-numbers.numbers.list': ['number', 'locality', 'pool', 'number_id', 'supply_uuid'],
  'call-recordings.list': ['time', 'caller_id', 'destination', 'duration', 'call_outcome', 'notes', 'uuid'],
  'call-transcripts.list': ['transcript_id', 'caller_id', 'destination', 'duration', 'sentiment', 'summary'],
  'extensions.list': ['id', 'user_id', 'name', 'agent_status', 'caller_id', 'group_name', 'timezone'],
  'registrations.list': ['user_id', 'user_agent', 'external_ipaddress', 'protocol', 'status'],
  'reports.incoming-calls-external-numbers.list': [
    'answer_epoch',
    'from',
    'to',
    'talk_duration',
    'external_caller_name',
    'dialplan_name',
    'hangup_case',
  ],
  'reports.outgoing-calls.list': ['answer_epoch', 'from', 'to', 'talk_duration', 'rate_name', 'hangup_case'],
  'reports.answered-extensions.list': [
    'answer_epoch',
    'from',
    'to',
    'to_extension_name',
    'talk_duration',
    'skillset_name',
    'dialplan_name',
  ],
  'reports.missed-calls.list': ['end_epoch', 'from', 'external_did', 'wait_sec', 'hangup_case', 'dialplan_name'],
  'reports.agent-availability.list': ['date_time', 'user_id', 'name', 'status', 'duration'],
  'skillsets.agent-status.list': ['id', 'name', 'status_counts', 'agents'],
  'voicemail.list': ['uuid', 'created_epoch', 'cid_number', 'username', 'message_len', 'cid_name'],
};

export function columnsOf(operationId: string): readonly string[] | undefined {
  return COLUMNS[operationId as AccountOperationId];
}
