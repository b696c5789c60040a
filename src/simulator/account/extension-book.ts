/** Extensions with their settings, and the availability history of agents. */
import { AGENT_STATUSES } from '../../provider/catalogue/extensions.ts';
import type { Random } from '../random.ts';
import { type Site, pickPersonName } from './random-values.ts';

/** Fields that create and update may set. Digits are kept as text; `user_id` is the extension number. */
type ExtensionSettings = { name: string; user_id: string } & typeof DEFAULTS;

export interface ExtensionRecord extends ExtensionSettings {
  id: number;
  agentUuid: string | null;
}

/** Start of an agent's status, in epoch seconds. */
export interface AgentChange {
  userId: string;
  status: string;
  since: number;
}

export type ExtensionBook = ReturnType<typeof createExtensionBook>;

const DEFAULTS = {
  customer_location_id: 1,
  emergency_dial_number: '000',
  caller_id: null as string | null,
  area_code: '613',
  storage_hold_music_id: 1 as number | null,
  timezone: 'Australia/Melbourne',
  voicemail: false,
  vm_password: '0000',
  vm_no_pin: false,
  vm_delay: 20,
  vm_set_read: false,
  outbound_recording: null as boolean | null,
  whisper_announcement_id: null as number | null,
  ndlb: null as boolean | null,
  network: null as string | null,
  netmask: null as string | null,
  agent_mode: false,
  agent_status: null as string | null,
  agent_wrap_time: null as number | null,
  agent_call_timeout: null as number | null,
  agent_busy_delay_time: null as number | null,
  internal_alert_info: null as string | null,
  group_name: 'default',
  tolls: ['australia_directory', 'australia_local', 'australia_mobile'],
  voicemail_emails: [] as string[],
};

/** Starts empty. `seconds` returns the current epoch seconds for the availability history. */
export function createExtensionBook(random: Random, seconds: () => number) {
  const byId = new Map<number, ExtensionRecord>();
  const byNumber = new Map<string, ExtensionRecord>();
  const changes: AgentChange[] = [];
  let nextId = 40_001;

  function noteStatus(extension: ExtensionRecord): void {
    if (!extension.agent_mode || extension.agent_status === null) return;
    const last = changes.findLast((change) => change.userId === extension.user_id);
    if (last?.status === extension.agent_status) return;
    changes.push({ userId: extension.user_id, status: extension.agent_status, since: seconds() });
  }

  function becomeAgent(extension: ExtensionRecord): void {
    if (!extension.agent_mode) return;
    extension.agentUuid ??= random.uuid();
    extension.agent_status ??= 'Logged Out';
    extension.agent_wrap_time ??= 10;
    extension.agent_call_timeout ??= 10;
    extension.agent_busy_delay_time ??= 10;
  }

  return {
    all: (): readonly ExtensionRecord[] => [...byId.values()],
    byId: (id: number) => byId.get(id),
    byNumber: (number: string) => byNumber.get(number),
    add(settings: Partial<ExtensionSettings> & Pick<ExtensionSettings, 'name' | 'user_id'>) {
      const extension: ExtensionRecord = { id: nextId, agentUuid: null, ...DEFAULTS, ...settings };
      nextId += 1;
      becomeAgent(extension);
      byId.set(extension.id, extension);
      byNumber.set(extension.user_id, extension);
      noteStatus(extension);
      return extension.id;
    },
    update(extension: ExtensionRecord, settings: Partial<ExtensionSettings>) {
      byNumber.delete(extension.user_id);
      Object.assign(extension, settings);
      byNumber.set(extension.user_id, extension);
      becomeAgent(extension);
      noteStatus(extension);
    },
    remove(extension: ExtensionRecord) {
      byId.delete(extension.id);
      byNumber.delete(extension.user_id);
    },
    agentChanges: (): readonly AgentChange[] => changes,
  };
}

/** Consecutive numbers, every sixth an agent, most with voicemail. */
export function seedExtensions(
  book: ExtensionBook,
  random: Random,
  company: { count: number; first: number; sites: readonly Site[]; callerId: string | null },
): void {
  for (let index = 0; index < company.count; index += 1) {
    const name = pickPersonName(random);
    const mailbox = name.toLowerCase().replaceAll(/[^a-z]+/g, '.');
    const agent = index % 6 === 1;
    book.add({
      name,
      user_id: String(company.first + index),
      customer_location_id: 1 + (index % company.sites.length),
      caller_id: random.chance(0.7) ? company.callerId : null,
      voicemail: random.chance(0.8),
      vm_password: random.digits(4),
      voicemail_emails: random.chance(0.5) ? [`${mailbox}@customer.example`] : [],
      group_name: random.pick(['default', 'sales', 'support', 'warehouse']),
      agent_mode: agent,
      agent_status: agent ? random.pick(AGENT_STATUSES) : null,
    });
  }
}
