/** One worked example of every operation of the account interface: input, the request it becomes, a documented answer. */
import type { accountCatalogue } from '../../src/provider/catalogue/account-catalogue.ts';
import type { InputOf, ResultOf } from '../../src/provider/operation.ts';

type Rows = typeof accountCatalogue;

export interface Example<Input, Answer> {
  input: Input;
  /** Verb, path and query as they arrive. */
  line: string;
  body?: unknown;
  answer: Answer;
}

type Examples = { readonly [Id in keyof Rows]: Example<InputOf<Rows[Id]>, ResultOf<Rows[Id]>> };

const charge = {
  unique_id: 9,
  service_id: 1,
  external_did: null,
  from: '61300000000',
  to: '61400000000',
  charge: 0.25,
  start_time: '2026-01-01 10:00:00',
  end_time: '2026-01-01 10:01:00',
  seconds: 60,
  auth_code: null,
  hangup_cause: 'NORMAL_CLEARING',
  on_net: 0,
  call_rate_prefix: '614',
  call_rate_name: 'Mobile',
};

const extension = {
  id: 12,
  user_id: '007',
  name: 'Front desk',
  customer_location_id: 3,
  emergency_dial_number: '000',
  caller_id: null,
  area_code: '613',
  storage_hold_music_id: 1,
  timezone: 'Australia/Melbourne',
  voicemail: 1,
  vm_password: '0123',
  vm_no_pin: 0,
  vm_delay: 20,
  vm_set_read: 0,
  outbound_recording: null,
  whisper_announcement_id: null,
  ndlb: 0,
  network: null,
  netmask: null,
  agent_mode: 1,
  agent_status: 'Available',
  agent_wrap_time: 10,
  agent_call_timeout: 10,
  agent_busy_delay_time: 10,
  internal_alert_info: null,
  group_name: '',
  tolls: ['australia_local'],
  voicemail_emails: ['desk@example.com'],
};

const call = {
  id: 1,
  service_id: 1,
  answer_epoch: 1_769_904_000,
  end_epoch: 1_769_904_060,
  answer_stamp: 'Sun, 01 Feb 2026 10:00:00 +1100',
  end_stamp: 'Sun, 01 Feb 2026 10:01:00 +1100',
  created_time: 1_769_904_061,
  from: '0400000000',
  to: '61300000000',
  talk_duration: 55,
  duration: 60,
  hangup_case: 'NORMAL_CLEARING',
  uuid: 'c0ffee',
};

const registration = {
  user_id: '101',
  expiry: '1769904000',
  protocol: 'UDP',
  external_ipaddress: '203.0.113.7',
  external_port: '5060',
  internal_ipaddress: '10.0.0.7',
  internal_port: '5060',
  contact_short: '101@203.0.113.7',
  contact: '"" <sip:101@203.0.113.7:5060>',
  status: 'Registered(UDP-NAT)(unknown) EXP(2026-02-01 10:00:00) EXPSECS(359)',
  user_agent: 'Yealink SIP-T46S 66.86.0.15',
};

const skillset = {
  id: 4,
  name: 'Sales',
  agents: {
    'a-1': {
      agent_uuid: 'a-1',
      user_id: '101',
      name: 'Ada',
      agent_status: 'Available',
      agent_wrap_time: 10,
      agent_busy_delay_time: 10,
      agent_call_timeout: 10,
    },
  },
  status_counts: { Available: 1, 'Logged Out': 0 },
};

const toggle = { id: 5, name: 'After hours', status: true };
const item = { id: 8, name: 'Ada', office: '0300000000', office2: null, mobile: '0400000000', home: null, other: null };
const voicemail = {
  uuid: 'v-1',
  created_epoch: '1769904000',
  username: '101',
  cid_name: 'Ada',
  cid_number: '0400000000',
  message_len: '12',
  stream_url: 'https://api.example.com/stream/v-1',
};
const voicemailExtension = { id: 6, user_id: '900', name: 'Info', vm_password: '0001', voicemail_emails: [] };
const pbx = '/api/v1/pbx';
const dates = '2026-01-01%2000%3A00%3A00/2026-01-31%2023%3A59%3A59';
const period = { start_date: '2026-01-01 00:00:00', end_date: '2026-01-31 23:59:59' };

export const examples: Examples = {
  'billing.calls.outgoing.list': {
    input: period,
    line: `GET /api/v1/billing/calls/outgoing/${dates}`,
    answer: [{ ...charge, transferred_call: false, uuid: 'u', parent_uuid: null }],
  },
  'billing.calls.collection.list': {
    input: period,
    line: `GET /api/v1/billing/calls/collection/${dates}`,
    answer: [charge],
  },
  'order-numbers.locality.list': {
    input: { country_iso: 'AU' },
    line: 'GET /api/v1/order-numbers/locality/AU',
    answer: { locality: 'Melbourne (03)', prefix: '613' },
  },
  'order-numbers.numbers.list': {
    input: { country_iso: 'AU', locality_id: 'Melbourne (03)/North' },
    line: 'GET /api/v1/order-numbers/numbers/AU/Melbourne%20(03)%2FNorth',
    answer: [
      {
        locality: 'Melbourne (03)',
        country: 'Australia',
        country_iso: 'AU',
        country_prefix: '61',
        locality_prefix: '3',
        number: '61300000000',
        pool: 'local',
      },
    ],
  },
  'order-numbers.assign': {
    input: { number_id: '1', supply_uuid: 's', number: '61300000000' },
    line: 'POST /api/v1/order-numbers/assign',
    body: { number_id: '1', supply_uuid: 's', number: 61_300_000_000 },
    answer: { error: '0', message: 'Assigned' },
  },
  'order-numbers.cancel': {
    input: { number: '61300000000' },
    line: 'DELETE /api/v1/order-numbers/cancel/61300000000',
    answer: { error: '0', message: 'Cancelled' },
  },
  'originate.call-connect': {
    input: { phone_number: '0400000000', caller_id: '61300000000', dialplan_number: '700' },
    line: `POST ${pbx}/originate/call-connect`,
    body: { phone_number: '0400000000', caller_id: 61_300_000_000, dialplan_number: 700 },
    answer: { status: 'ok', message: 'Calling' },
  },
  'action-toggles.list': { input: {}, line: `GET ${pbx}/action-toggles`, answer: [toggle] },
  'action-toggles.create': {
    input: { name: 'After hours', status: false },
    line: `POST ${pbx}/action-toggles`,
    body: { name: 'After hours', status: false },
    answer: { id: 5 },
  },
  'action-toggles.show': { input: { action_toggle: 5 }, line: `GET ${pbx}/action-toggles/5`, answer: toggle },
  'action-toggles.update': {
    input: { action_toggle: 5, status: true },
    line: `PUT ${pbx}/action-toggles/5`,
    body: { status: true },
    answer: toggle,
  },
  'action-toggles.delete': {
    input: { action_toggle: 5 },
    line: `DELETE ${pbx}/action-toggles/5`,
    answer: { status: 'deleted' },
  },
  'call-recordings.list': {
    input: { time_period: 'today' },
    line: `GET ${pbx}/call-recordings?time_period=today`,
    answer: [
      {
        time: 1,
        uuid: 'r',
        caller_id: '101',
        destination: '102',
        duration: 9,
        wav_size: 1,
        mp3_size: 1,
        notes: null,
        call_outcome: null,
        stream_url: 'https://x',
      },
    ],
  },
  'call-transcripts.list': {
    input: { time_period: 'this_month', timezone: 'Australia/Melbourne' },
    line: `GET ${pbx}/call-transcripts?time_period=this_month&timezone=Australia%2FMelbourne`,
    answer: [
      {
        transcript_id: 1,
        call_recording_id: 2,
        service_id: 3,
        keywords: '',
        summary: '',
        caller_id: '101',
        destination: '102',
        duration: 9,
        names_involved: '',
        sentiment: 'neutral',
        call_outcome: '',
        vtt_url: 'https://x',
        recording_url: 'https://x',
      },
    ],
  },
  'call-transcripts.download-vtt': {
    input: { transcript_id: 1 },
    line: `GET ${pbx}/call-transcripts/download-vtt/1`,
    answer: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n',
  },
  'extensions.list': { input: {}, line: `GET ${pbx}/extensions`, answer: [{ ...extension, agent_uuid: null }] },
  'extensions.create': {
    input: {
      name: 'Front desk',
      area_code: '613',
      timezone: 'Australia/Melbourne',
      customer_location_id: 3,
      emergency_dial_number: '000',
      password: 'long enough',
      user_id: '007',
      vm_password: '0123',
      voicemail_emails: ['desk@example.com'],
      tolls: ['international'],
    },
    line: `POST ${pbx}/extensions`,
    body: {
      name: 'Front desk',
      area_code: 613,
      timezone: 'Australia/Melbourne',
      customer_location_id: 3,
      emergency_dial_number: '000',
      password: 'long enough',
      user_id: '007',
      vm_password: '0123',
      voicemail_emails: ['desk@example.com'],
      tolls: ['international'],
    },
    answer: { extension_id: 12 },
  },
  'extensions.show': { input: { extension: 12 }, line: `GET ${pbx}/extensions/12`, answer: extension },
  'extensions.update': {
    input: { extension: 12, agent_status: 'On Break', vm_password: '4321' },
    line: `PUT ${pbx}/extensions/12`,
    body: { agent_status: 'On Break', vm_password: 4321 },
    answer: { extension_id: 12 },
  },
  'extensions.delete': { input: { extension: 12 }, line: `DELETE ${pbx}/extensions/12`, answer: { status: 'deleted' } },
  'phonebook.list': { input: {}, line: `GET ${pbx}/phonebook`, answer: [{ id: 2, name: 'Friends' }] },
  'phonebook.create': {
    input: { name: 'Friends' },
    line: `POST ${pbx}/phonebook`,
    body: { name: 'Friends' },
    answer: { id: 2 },
  },
  'phonebook.show': { input: { phonebook: 2 }, line: `GET ${pbx}/phonebook/2`, answer: { id: 2, name: 'Friends' } },
  'phonebook.update': {
    input: { phonebook: 2, name: 'Family' },
    line: `PUT ${pbx}/phonebook/2`,
    body: { name: 'Family' },
    answer: 'Renamed to Family',
  },
  'phonebook.delete': { input: { phonebook: 2 }, line: `DELETE ${pbx}/phonebook/2`, answer: { status: 'deleted' } },
  'phonebook.items.list': { input: { phonebook_id: 2 }, line: `GET ${pbx}/phonebook/2/items`, answer: [item] },
  'phonebook.items.create': {
    input: { phonebook_id: 2, name: 'Ada', mobile: '0400000000' },
    line: `POST ${pbx}/phonebook/2/items`,
    body: { name: 'Ada', mobile: '0400000000' },
    answer: { id: 8 },
  },
  'phonebook.items.show': { input: { phonebook_id: 2, item: 8 }, line: `GET ${pbx}/phonebook/2/items/8`, answer: item },
  'phonebook.items.update': {
    input: { phonebook_id: 2, item: 8, home: '0390000000' },
    line: `PUT ${pbx}/phonebook/2/items/8`,
    body: { home: '0390000000' },
    answer: { status: 'updated', id: '8' },
  },
  'phonebook.items.delete': {
    input: { phonebook_id: 2, item: 8 },
    line: `DELETE ${pbx}/phonebook/2/items/8`,
    answer: { status: 'deleted' },
  },
  'registrations.list': { input: {}, line: `GET ${pbx}/registrations`, answer: { '101': [registration] } },
  'registrations.delete': {
    input: { registration: 12 },
    line: `DELETE ${pbx}/registrations/12`,
    answer: { result: true },
  },
  'reports.incoming-calls-external-numbers.list': {
    input: { start_time: 1_767_225_600, end_time: 1_769_904_000 },
    line: `GET ${pbx}/reports/incoming-calls-external-numbers?start_time=1767225600&end_time=1769904000`,
    answer: [{ ...call, external_caller_name: 'Ada', dialplan_name: 'Main', condition_name: 'Open' }],
  },
  'reports.outgoing-calls.list': {
    input: {},
    line: `GET ${pbx}/reports/outgoing-calls`,
    answer: [{ ...call, parent_uuid: null, transferred_call: false, rate_digits: '614', rate_name: 'Mobile' }],
  },
  'reports.answered-extensions.list': {
    input: { time_period: 'yesterday' },
    line: `GET ${pbx}/reports/answered-extensions?time_period=yesterday`,
    answer: [
      {
        ...call,
        from_extension_name: null,
        to_extension_name: 'Front desk',
        phonebook_name: null,
        transfer_to: null,
        transfer_from: null,
        originator: null,
        dialplan_name: 'Main',
        condition_name: 'Open',
        external_did: '61300000000',
        skillset_name: null,
        queue_name: null,
        record_uuid: null,
      },
    ],
  },
  'reports.incoming-answered-vs-missed.show': {
    input: { exclude_did_numbers: ['61300000000', '0300000001'], ignore_seconds: 5 },
    line: `GET ${pbx}/reports/incoming-answered-vs-missed?exclude_did_numbers%5B%5D=61300000000&exclude_did_numbers%5B%5D=0300000001&ignore_seconds=5`,
    answer: {
      exclude_did_numbers: [],
      ignore_seconds: 5,
      format_start_time: '2026-01-01 00:00:00',
      format_end_time: '2026-01-31 23:59:59',
      headings: ['09:00'],
      legends: ['Answered'],
      missed: [1],
      missed_vm: [0],
      day_total_answered: [3],
      day_total_missed: [1],
      day_total_missed_vm: [0],
      day_answered_seconds: [90],
      hour_total_answered: [3],
      hour_total_missed: [1],
      hour_total_missed_vm: [0],
      total_answered: 3,
      total_missed: 1,
      total_missed_vm: 0,
      top_10_hours: ['09:00'],
    },
  },
  'reports.missed-calls.list': {
    input: {},
    line: `GET ${pbx}/reports/missed-calls`,
    answer: {
      k1: {
        uuid: 'm',
        service_id: 1,
        answer_epoch: 0,
        end_epoch: 9,
        from: '0400000000',
        external_did: '61300000000',
        duration: 9,
        wait_sec: 9,
        hangup_case: 'NO_ANSWER',
        dialplan_name: 'Main',
        condition_name: 'Open',
        extensions: { '101': { extension: '101', hangup_cause: 'NO_ANSWER' } },
      },
    },
  },
  'reports.agent-availability.list': {
    input: { agent_ids: ['101', '007'], agent_statuses: ['On Break'], timezone: 'Australia/Perth' },
    line: `GET ${pbx}/reports/agent-availability?timezone=Australia%2FPerth&agent_ids%5B%5D=101&agent_ids%5B%5D=007&agent_statuses%5B%5D=On+Break`,
    answer: [
      {
        user_id: '101',
        name: 'Ada',
        status: 'On Break',
        epoch: 1,
        date_time: '…',
        timezone: 'Australia/Perth',
        duration: 60,
      },
    ],
  },
  'skillsets.agent-status.list': { input: {}, line: `GET ${pbx}/skillsets/agent-status`, answer: [skillset] },
  'skillsets.agent-status.show': {
    input: { agent_status: 'Sales & co' },
    line: `GET ${pbx}/skillsets/agent-status/Sales%20%26%20co`,
    answer: skillset,
  },
  'sms.send': {
    input: { from: '+61400000000', to: '+61400000001', body: 'Hello' },
    line: `POST ${pbx}/sms/send`,
    body: { from: '+61400000000', to: '+61400000001', body: 'Hello' },
    answer: { message_id: 'm', time: 1, service_id: 1, status: 'sent' },
  },
  'voicemail-extensions.list': { input: {}, line: `GET ${pbx}/voicemail-extensions`, answer: [voicemailExtension] },
  'voicemail-extensions.create': {
    input: { name: 'Info', vm_password: '0001', user_id: '900' },
    line: `POST ${pbx}/voicemail-extensions`,
    body: { name: 'Info', vm_password: '0001', user_id: 900 },
    answer: { voicemail_extension_id: 6 },
  },
  'voicemail-extensions.show': {
    input: { voicemail_extension: 6 },
    line: `GET ${pbx}/voicemail-extensions/6`,
    answer: { ...voicemailExtension, timezone: 'Australia/Perth' },
  },
  'voicemail-extensions.update': {
    input: { voicemail_extension: 6, name: 'News' },
    line: `PUT ${pbx}/voicemail-extensions/6`,
    body: { name: 'News' },
    answer: { voicemail_extension_id: 6 },
  },
  'voicemail-extensions.delete': {
    input: { voicemail_extension: 6 },
    line: `DELETE ${pbx}/voicemail-extensions/6`,
    answer: { status: 'deleted' },
  },
  'voicemail.list': { input: {}, line: `GET ${pbx}/voicemail`, answer: [voicemail] },
  'voicemail.show': { input: { voicemail: 'v-1' }, line: `GET ${pbx}/voicemail/v-1`, answer: voicemail },
  'voicemail.delete': {
    input: { voicemail: 'v-1' },
    line: `DELETE ${pbx}/voicemail/v-1`,
    answer: { status: 'deleted' },
  },
};
