/** An embedded provider and a configuration that names its account: what `linewatch account` needs to be tried. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { accountCatalogue, type AccountOperationId } from '../../src/provider/catalogue/account-catalogue.ts';
import type { InputOf, Operation } from '../../src/provider/operation.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { manualTime } from '../simulator/support/manual-time.ts';
import { fakePlatform, type FakeMachine, type FakePlatform } from './platform.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface AccountBench extends AsyncDisposable {
  provider: Provider;
  /** Folder of the configuration and of written files. */
  directory: string;
  /** `linewatch account …` in this process. */
  run: (words: readonly string[], machine?: FakeMachine) => Promise<Ran>;
  /** The same, for a test that types only when it has read. */
  start: (words: readonly string[], machine?: FakeMachine) => { platform: FakePlatform; ended: Promise<Ran> };
  /** Words after `linewatch account` that call this operation. */
  words: (id: string) => string[];
  /** Operations the provider was asked for since the last call of this. */
  asked: () => string[];
}

export async function accountBench(configuration?: (provider: Provider) => string): Promise<AccountBench> {
  const provider = await startProvider(manualTime());
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-account-'));
  await writeFile(join(directory, 'linewatch.yaml'), (configuration ?? oneAccount)(provider));

  function start(words: readonly string[], machine: FakeMachine = {}): { platform: FakePlatform; ended: Promise<Ran> } {
    const platform = fakePlatform({ argv: ['account', ...words], cwd: directory, ...machine });
    const ended = runCommand(platform, COMMANDS).then((code) => ({ code, ...platform.written() }));
    return { platform, ended };
  }

  return {
    provider,
    directory,
    run: (words, machine) => start(words, machine).ended,
    start,
    words(id) {
      const operation = OPERATIONS.find((one) => one.id === id);
      if (operation === undefined) throw new Error(`there is no operation ${id}`);
      return wordsFor(operation, inputsFor(provider)[id as keyof Inputs]);
    },
    asked() {
      const operations = provider.simulator.log.all().map(({ operation }) => operation ?? 'none');
      provider.simulator.log.clear();
      return operations;
    },
    async [Symbol.asyncDispose]() {
      await provider.close();
      await rm(directory, { recursive: true });
    },
  };
}

function oneAccount({ accountUrl, token }: Provider): string {
  return `timezone: Australia/Melbourne\naccounts:\n  - {name: head-office, base_url: "${accountUrl}", api_key: "${token}"}\n`;
}

type Rows = typeof accountCatalogue;
export type Inputs = { readonly [Id in keyof Rows]: InputOf<Rows[Id]> };

/** Something every operation can be asked in this world, in the order of the catalogue: what is deleted is not needed later. */
export function inputsFor({ simulator }: Provider): Inputs {
  const { world } = simulator.accounts.account();
  const dates = { start_date: '2026-02-20 00:00:00', end_date: '2026-03-02 23:59:59' };
  const month = { time_period: 'last_month' } as const;
  const [free] = world.numbers.free('Sydney (02)');
  const call = world
    .calls()
    .ended()
    .find(({ recordingUuid }) => recordingUuid !== null);
  const [first, second] = world.messages.all().map(({ uuid }) => uuid);
  return {
    'billing.calls.outgoing.list': dates,
    'billing.calls.collection.list': dates,
    'order-numbers.locality.list': { country_iso: 'AU' },
    'order-numbers.numbers.list': { country_iso: 'AU', locality_id: 'Melbourne (03)' },
    'order-numbers.assign': { number_id: free?.numberId ?? '', supply_uuid: free?.supplyUuid ?? '' },
    'order-numbers.cancel': { number: '61390004105' },
    'originate.call-connect': { phone_number: '0400000001', caller_id: '61390004100', dialplan_number: '500' },
    'action-toggles.list': {},
    'action-toggles.create': { name: 'New', status: true },
    'action-toggles.show': { action_toggle: 301 },
    'action-toggles.update': { action_toggle: 301, status: true },
    'action-toggles.delete': { action_toggle: 302 },
    'call-recordings.list': month,
    'call-transcripts.list': month,
    'call-transcripts.download-vtt': { transcript_id: 600_000 + ((call?.id ?? 0) % 1_000_000) },
    'extensions.list': {},
    'extensions.create': {
      name: 'Lobby',
      area_code: '613',
      timezone: 'Australia/Melbourne',
      customer_location_id: 1,
      emergency_dial_number: '000',
      password: 'planted-secret',
      user_id: '2001',
      vm_password: '0123',
      voicemail_emails: ['lobby@example.com', 'desk@example.com'],
      tolls: ['australia_local', 'australia_mobile'],
    },
    'extensions.show': { extension: 40_001 },
    'extensions.update': { extension: 40_001, name: 'Reception', agent_status: 'On Break', voicemail: false },
    'extensions.delete': { extension: 40_005 },
    'phonebook.list': {},
    'phonebook.create': { name: 'New' },
    'phonebook.show': { phonebook: 71 },
    'phonebook.update': { phonebook: 71, name: 'Clients' },
    'phonebook.delete': { phonebook: 72 },
    'phonebook.items.list': { phonebook_id: 71 },
    'phonebook.items.create': { phonebook_id: 71, name: 'New', mobile: '0400000000' },
    'phonebook.items.show': { phonebook_id: 71, item: 9001 },
    'phonebook.items.update': { phonebook_id: 71, item: 9001, name: 'Other' },
    'phonebook.items.delete': { phonebook_id: 71, item: 9002 },
    'registrations.list': {},
    'registrations.delete': { registration: 40_001 },
    'reports.incoming-calls-external-numbers.list': month,
    'reports.outgoing-calls.list': { ...month, timezone: 'Australia/Perth' },
    'reports.answered-extensions.list': month,
    'reports.incoming-answered-vs-missed.show': { ...month, exclude_did_numbers: ['61390004100'], ignore_seconds: 5 },
    'reports.missed-calls.list': month,
    'reports.agent-availability.list': { time_period: 'today', agent_ids: ['1002', '1008'] },
    'skillsets.agent-status.list': {},
    'skillsets.agent-status.show': { agent_status: 'Support' },
    'sms.send': { from: '+61480012345', to: '+61400000000', body: 'Hello' },
    'voicemail-extensions.list': {},
    'voicemail-extensions.create': { name: 'New', vm_password: '0123' },
    'voicemail-extensions.show': { voicemail_extension: 52_001 },
    'voicemail-extensions.update': { voicemail_extension: 52_001, vm_password: '4321' },
    'voicemail-extensions.delete': { voicemail_extension: 52_001 },
    'voicemail.list': {},
    'voicemail.show': { voicemail: first ?? '' },
    'voicemail.delete': { voicemail: second ?? '' },
  };
}

/** The words a person would type for this input, whatever its values look like. */
export function wordsFor(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const name = [...operation.cli.resource, operation.cli.verb];
  const ids = Object.keys(operation.params.shape);
  const fields = Object.entries(input).filter(([field, value]) => !ids.includes(field) && value !== undefined);
  return [
    ...name,
    ...fields.flatMap(([field, value]) =>
      (Array.isArray(value) ? (value.length === 0 ? [''] : (value as unknown[])) : [value]).map(
        (each) => `--${field.replaceAll('_', '-')}=${String(each)}`,
      ),
    ),
    ...(ids.length === 0 ? [] : ['--', ...ids.map((id) => String(input[id]))]),
  ];
}

export const OPERATIONS: readonly Operation[] = Object.values<Operation>(accountCatalogue);
export const IDS = Object.keys(accountCatalogue) as AccountOperationId[];
