/**
 * Accounts and their provider's page on paper: the core's own steps, with the other documents as context as the
 * daemon hands them over, without HTTP, disk or waiting.
 */
import {
  ACCOUNT,
  type AccountState,
  type AccountStepResult,
  createAccountState,
} from '../../../src/core/engine/account-kind.ts';
import { readDevice } from '../../../src/core/account/device.ts';
import type {
  AccountObservation,
  Contact,
  Device,
  Extension,
  Registered,
  Toggle,
} from '../../../src/core/account/account-model.ts';
import type { AccountSettings } from '../../../src/core/account/settings.ts';
import { isExtensionListNeeded } from '../../../src/core/account/compare-registrations.ts';
import { findListDoubt } from '../../../src/core/account/registration-list.ts';
import { createPhoneFilter, createProviderView } from '../../../src/core/correlation/cause.ts';
import {
  toNeighbours,
  createTally,
  addTally,
  findJoinableLosses,
  NO_COUNTS,
  type Neighbours,
  type Tally,
} from '../../../src/core/correlation/account-loss-count.ts';
import { createPageState, PAGE, type SourceState } from '../../../src/core/engine/page-kind.ts';
import { acknowledge } from '../../../src/core/engine/acknowledge.ts';
import { performStep, type KeptState, type StepContext } from '../../../src/core/engine/step.ts';
import { createPageSweeper } from '../../../src/daemon/loop/page-sweep.ts';
import type { Listing, Miss } from '../../../src/core/observation/listing.ts';
import { type Message, listMessages } from '../../../src/core/outbox/message.ts';
import { createStatusWorld, type StatusWorld } from '../../support/status-world.ts';
import type { Transition } from '../../../src/core/transition/transition.ts';
import { CLEAR, paperReader } from '../../laws/paper-reader.ts';
import { frozen } from '../../support/frozen.ts';
import type { Routing } from '../../../src/core/outbox/routing.ts';
import { createRouteTo } from '../../../src/core/alert/route.ts';
import { allSettled, routingTo } from '../../support/routing.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const START = Date.parse('2026-03-02T01:00:00.000Z');

export interface PaperPhone {
  extension: string;
  address: string;
  agent: string;
  up: boolean;
  /** How long its registration lasts as it is; absent where the provider does not say. */
  expiresInMs?: number;
  /** When that is, in the provider's words. */
  until?: string;
}

export interface PaperAccount {
  readonly name: string;
  readonly state: AccountState;
  phones: PaperPhone[];
  toggles: Toggle[];
  /** Numbers in the list of extensions; null where that is every phone. */
  listed: string[] | null;
  settings: AccountSettings;
  /** What is answered in place of the listing of registrations, toggles or extensions. */
  instead: { registrations?: Listing<Registered>; toggles?: Listing<Toggle>; extensions?: Listing<Extension> };
  readonly steps: { observation: AccountObservation; before: AccountState; out: AccountStepResult }[];
  /** One round after this time. */
  sweep(afterMs?: number): void;
  tick(): void;
  lose(which: (phone: PaperPhone) => boolean): void;
  bringBack(which?: (phone: PaperPhone) => boolean): void;
  restart(): void;
  /** A step that no look at it brings about. */
  take(step: (state: AccountState) => AccountState): void;
}

export interface PaperTown {
  readonly world: StatusWorld;
  readonly page: SourceState;
  now(): number;
  pass(ms: number): void;
  account(name: string, phones: readonly Omit<PaperPhone, 'up'>[], settings?: Partial<AccountSettings>): PaperAccount;
  sweepPage(): Promise<void>;
  /** What is done meanwhile is done at one moment: no account sees yet what the others make of it. */
  atOnce(action: () => void): void;
  /** What was known of the page is gone: it is watched no more, or has another address and was not read there yet. */
  losePage(how: 'removed' | 'moved'): void;
  /** Somebody takes an alert in hand, as the daemon lets him. */
  acknowledge(alert: string, by: string, comment?: string, isRelease?: boolean): void;
  /** What was sent, in order: to the people and programs of a source, and to those of all. */
  readonly sent: Message[];
  people(): Message[];
  events(kind?: string): { transition: Transition; status: string; message: Message }[];
}

export const SETTINGS: AccountSettings = {
  registrations: {
    extensions: 'all',
    ignore: [],
    watchDuring: null,
    offlineAfter: 5 * MINUTE,
    mass: { count: 3, percent: 30 },
  },
  expectations: [],
  customer: null,
  timezone: 'Australia/Melbourne',
  sites: { '203.0.113.7': 'Richmond', '203.0.113.8': 'Carlton', '198.51.100.3': 'Geelong' },
  componentsWithoutPhones: ['SMS'],
};

export function missed(code = 'server_error'): Miss {
  return { kind: 'missed', code, why: `the question was not answered (${code})` };
}

export function town(
  routes: (source: string) => readonly string[] = () => ['people', 'programs'],
  repeatMs: number | null = null,
): PaperTown {
  let now = START;
  const world = createStatusWorld({
    clock: { now: () => now },
    name: 'Example Telecom',
    components: [
      { id: 1, name: 'SIP Trunks' },
      { id: 2, name: 'Hosted PBX' },
      { id: 3, name: 'SMS' },
    ],
  });
  let page = createPageState('https://status.example.test');
  let pageSweep = 0;
  let nextNumber = 1;
  const sent: Message[] = [];
  const accounts = new Map<string, PaperAccount>();
  /** How the accounts fare, as they were last looked at. */
  const tallies = new WeakMap<AccountState, Tally>();
  /** What the others see of each account, where that is not what is known of it now. */
  let shown: ReadonlyMap<PaperAccount, AccountState> | null = null;

  function tallyOfAccount(account: PaperAccount): Tally {
    const state = shown?.get(account) ?? account.state;
    const known = tallies.get(state) ?? createTally(state.snapshot, state.alerts, account.settings);
    tallies.set(state, known);
    return known;
  }

  function neighboursOf(self: PaperAccount): Neighbours {
    const others = [...accounts.values()].filter((other) => other !== self).map(tallyOfAccount);
    const counts = others.reduce((sum, tally) => addTally(sum, tally, 1), NO_COUNTS);
    return toNeighbours(counts, findJoinableLosses(others));
  }

  let known: { accounts: number; routing: Routing } | null = null;

  /** One tree for all sources, with a branch for each. */
  function routing(): Routing {
    if (known?.accounts === accounts.size) return known.routing;
    const names = ['provider', ...accounts.keys()];
    const all = new Set(names.flatMap((name) => [...routes(name)]));
    const branches = names.map((name) => ({
      ...createRouteTo([...routes(name)]),
      matchers: { source: [name] },
      repeatInterval: repeatMs,
    }));
    const root = { ...createRouteTo([]), repeatInterval: repeatMs, routes: branches };
    known = { accounts: accounts.size, routing: { ...routingTo([...all]), root } };
    return known.routing;
  }

  function promising(
    state: KeptState,
  ): Pick<StepContext, 'now' | 'routing' | 'parts' | 'nextNumber' | 'settled'> & { overrides: [] } {
    const parts = [...page.alerts, ...[...accounts.values()].flatMap((account) => account.state.alerts)];
    return {
      now,
      nextNumber,
      overrides: [],
      // What a step promised is delivered at once.
      settled: allSettled(state),
      routing: routing(),
      parts: new Map(
        [...Map.groupBy(parts, ({ id }) => id)].map(([id, some]) => [id, Map.groupBy(some, (part) => part.source)]),
      ),
    };
  }

  const sweeper = createPageSweeper({
    reader: paperReader(world, () => CLEAR),
    now: () => now,
    monotonic: () => now,
    snapshot: () => page.snapshot,
    step: (observation) => {
      const out = performStep(PAGE, page, observation, {
        ...promising(page),
        source: { name: 'provider', baseUrl: page.baseUrl },
        health: { baseUrl: page.baseUrl, unreachableAfterMs: 3 * MINUTE },
        maintenance: { reminders: [], graceMs: HOUR },
        components: { include: [], exclude: [] },
        sweep: pageSweep,
      });
      page = out.state;
      nextNumber = Math.max(nextNumber, out.nextNumber);
      sent.push(...page.outbox.flatMap(listMessages));
      return Promise.resolve();
    },
  });

  function account(
    name: string,
    given: readonly Omit<PaperPhone, 'up'>[],
    settings: Partial<AccountSettings> = {},
  ): PaperAccount {
    let state = createAccountState('https://api.example.test');
    /** As it was last saved: nothing changes it, so it is written when it is read. */
    let disk = state;
    let lastAt: number | null = null;
    let lastEnd: number | null = null;
    let askedAt: number | null = null;
    let sweep = 0;
    const steps: PaperAccount['steps'] = [];

    function take(observation: AccountObservation): void {
      const before = state;
      const out = performStep(ACCOUNT, frozen(state), frozen(observation), {
        ...promising(state),
        source: { name, baseUrl: state.baseUrl },
        settings: self.settings,
        unreachableAfterMs: 5 * MINUTE,
        sweep,
        elapsedMs: lastAt === null ? 0 : now - lastAt,
        provider:
          pageSweep === 0
            ? null
            : createProviderView(
                { name: 'provider' },
                page.snapshot,
                page.alerts,
                createPhoneFilter(self.settings.componentsWithoutPhones),
              ),
        neighbours: neighboursOf(self),
      });
      lastAt = now;
      state = out.state;
      nextNumber = Math.max(nextNumber, out.nextNumber);
      if (out.changed) disk = state;
      steps.push({ observation, before, out });
      sent.push(...state.outbox.flatMap(listMessages));
    }

    function registrations(): Listing<Registered> {
      if (self.instead.registrations !== undefined) return self.instead.registrations;
      const up = self.phones.filter((phone) => phone.up);
      const contacts = Map.groupBy(up, ({ extension }) => extension);
      const items = [...contacts].map(([extension, phones]) => ({ extension, contacts: phones.map(contactOf) }));
      return { kind: 'observed', items, defects: [], missing: null };
    }

    const self: PaperAccount = {
      name,
      get state() {
        return state;
      },
      phones: given.map((phone) => ({ ...phone, up: true })),
      toggles: [],
      listed: null,
      settings: { ...SETTINGS, ...settings },
      instead: {},
      steps,
      sweep(afterMs = MINUTE) {
        now += afterMs;
        sweep += 1;
        const listing = registrations();
        const asks = askedAt === null || now - askedAt >= 10 * MINUTE || isExtensionListNeeded(state.snapshot, listing);
        if (asks) askedAt = now;
        const numbers = self.listed ?? [...new Set(self.phones.map(({ extension }) => extension))];
        const items = numbers.map((number) => ({ id: `9${number}`, number, name: `Desk ${number}` }));
        const extensions: Listing<Extension> = self.instead.extensions ?? {
          kind: 'observed',
          items,
          defects: [],
          missing: null,
        };
        take({ kind: 'registrations', registrations: listing, extensions: asks ? extensions : null });
        const toggles: Listing<Toggle> = self.instead.toggles ?? {
          kind: 'observed',
          items: self.toggles.map((toggle) => ({ ...toggle })),
          defects: [],
          missing: null,
        };
        take({ kind: 'toggles', toggles });
        const lacks = (part: Listing<unknown>): Miss | null => (part.kind === 'missed' ? part : part.missing);
        const parts = {
          registrations: lacks(listing) ?? findListDoubt(state.snapshot),
          extensions: asks ? lacks(extensions) : null,
          toggles: lacks(toggles),
        };
        take({ kind: 'end', parts, elapsedMs: lastEnd === null ? 0 : now - lastEnd });
        lastEnd = now;
      },
      tick: () => take({ kind: 'tick' }),
      lose(which) {
        for (const phone of self.phones) if (which(phone)) phone.up = false;
      },
      bringBack(which = () => true) {
        for (const phone of self.phones) if (which(phone)) phone.up = true;
      },
      take(step) {
        state = step(state);
        disk = state;
      },
      restart() {
        state = JSON.parse(JSON.stringify(disk)) as AccountState;
        sweep = 0;
        lastAt = null;
        lastEnd = null;
      },
    };
    accounts.set(name, self);
    return self;
  }

  return {
    world,
    get page() {
      return page;
    },
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
    account,
    losePage(how) {
      page = createPageState('https://other.example.test');
      if (how === 'removed') pageSweep = 0;
    },
    atOnce(action) {
      shown = new Map([...accounts.values()].map((each) => [each, each.state]));
      action();
      shown = null;
    },
    async sweepPage() {
      pageSweep += 1;
      await sweeper.sweep(new AbortController().signal);
    },
    acknowledge(alert, by, comment = '', isRelease = false) {
      const heard = new Set<string>();
      const take = <S extends SourceState | AccountState>(state: S, source: string): S => {
        const out = acknowledge(
          frozen(state),
          { alert, by, comment, isRelease, heard },
          { ...promising(state), source },
        );
        if (!out.changed) return state;
        const told = out.state.outbox.flatMap(listMessages);
        sent.push(...told);
        for (const { receiver } of told) heard.add(receiver);
        return out.state;
      };
      page = take(page, 'provider');
      for (const account of accounts.values()) account.take((state) => take(state, account.name));
    },
    sent,
    people: () => sent.filter(({ receiver }) => !receiver.startsWith('programs')),
    events: (kind) =>
      sent
        .filter(({ receiver }) => receiver.startsWith('programs'))
        .flatMap((message) => message.changes.map(({ transition, status }) => ({ transition, status, message })))
        .filter(({ transition }) => kind === undefined || transition.kind === kind),
  };
}

/** Read once: a town is asked for its phones at every sweep, and few kinds of them are in it. */
const devices = new Map<string, Device | null>();

function contactOf({ address, agent, expiresInMs, until }: PaperPhone): Contact {
  const device = devices.get(agent) ?? readDevice(agent);
  devices.set(agent, device);
  const contact: Contact = { protocol: 'udp', address, device };
  if (expiresInMs === undefined) return contact;
  return until === undefined ? { ...contact, expiresInMs } : { ...contact, expiresInMs, until };
}

/** `count` phones from this extension on, at this address. */
export function phones(
  first: number,
  count: number,
  address: string,
  agent = 'Yealink SIP-T46S 66.86.0.15',
): Omit<PaperPhone, 'up'>[] {
  return Array.from({ length: count }, (_, index) => ({ extension: String(first + index), address, agent }));
}

/** Minutes in which the page and these accounts are read. */
export async function rounds(all: PaperTown, accounts: readonly PaperAccount[], count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    all.pass(MINUTE);
    await all.sweepPage();
    for (const account of accounts) account.sweep(0);
  }
}

/** The alerts that are open, by what they are about. */
export function open(account: PaperAccount): string[] {
  const { alerts, snapshot } = account.state;
  return alerts
    .filter(({ status, absorbedBy }) => status === 'open' && absorbedBy === undefined)
    .map(({ group, suspected, explainedBy }) => {
      const known = snapshot.groups.find(({ id }) => id === group);
      const said = explainedBy === null ? (suspected ? ' (suspected)' : '') : ' (explained)';
      return `${known?.mass === true ? known.domain.name : 'single'}${said}`;
    })
    .toSorted();
}

export const [RICHMOND, CARLTON, GEELONG] = ['203.0.113.7', '203.0.113.8', '198.51.100.3'];

/** An account with its phones at the three sites of `SETTINGS`, swept once. */
export async function openThreeSites(): Promise<{ all: PaperTown; account: PaperAccount }> {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', [
    ...phones(100, 20, RICHMOND),
    ...phones(200, 20, CARLTON),
    ...phones(300, 19, GEELONG),
  ]);
  account.sweep(0);
  return { all, account };
}
