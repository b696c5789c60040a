/**
 * Plays a night: the world's raw answers through the real daemon on a virtual clock, at default settings. What comes
 * out is text: the lines of `replay --json`, parsed anew.
 */
import { createRouteTo, type Route } from '../../src/core/alert/route.ts';
import { formatMessageLine, formatTransitionLine } from '../../src/cli/replay/replay.ts';
import { resolveAccount, resolveStatusPage } from '../../src/config/config.ts';
import { toWatchedAccount, toWatchedPage } from '../../src/daemon/setup/assemble.ts';
import { listAnswers, type RecordedStep } from '../../src/daemon/replay/recorded-source.ts';
import type { RecordedAnswer } from '../../src/provider/http.ts';
import { replayHistory } from '../../src/daemon/setup/virtual-replay.ts';
import type { Night } from './night.ts';
import { documentsAt, momentsOf } from './page.ts';
import { extensionsOf, MINUTE, registrationsOf, type Customer } from './town.ts';

export interface Change {
  status: string;
  kind: string;
  source: string;
  subject: string;
  from: unknown;
  to: unknown;
  details: {
    domain?: { kind: string; name: string };
    /** Of one phone alone: how many there are. */
    phones?: { extension: string }[] | object;
    more?: number;
    extension?: string;
    sites?: string[];
    total?: number;
    down?: number;
    explained_by?: object;
    suspected?: boolean;
  };
}

/** What the person on duty reads. */
export interface Read {
  at: number;
  alert: { id: string; number: number | null };
  title: string;
  text: string;
  changes: Change[];
}

/** What a program hears. */
export interface Heard extends Change {
  at: number;
  alert: { id: string } | null;
}

export interface Told {
  /** By the person on duty, who reads of every customer. */
  read: Read[];
  heard: Heard[];
  /** By the name of a customer: what its own receiver read, without the first summary. */
  inboxes: ReadonlyMap<string, readonly Read[]>;
}

const TIMEZONE = 'Australia/Melbourne';
const DUTY = 'duty';

export async function play(night: Night): Promise<Told> {
  const page = resolveStatusPage({ name: 'provider', base_url: 'https://status.example.com' });
  const accounts = night.customers.map(({ name, settings }) =>
    resolveAccount(
      { name, base_url: 'https://api.example.com', api_key: 'key', labels: { customer: name }, ...settings },
      [page],
      TIMEZONE,
    ),
  );
  const route = routeOf(night);
  const { messages, transitions } = await replayHistory({
    steps: stepsOf(night),
    recordedFrom: page.baseUrl,
    page: toWatchedPage(page),
    accounts: accounts.map((account) => toWatchedAccount(account, { accounts, timezone: TIMEZONE })),
    receivers: [DUTY, ...night.customers.map(({ name }) => name)].map((name) => ({
      name,
      audience: 'people' as const,
    })),
    route,
    overrides: [],
  });
  const options = {
    route,
    timezone: TIMEZONE,
    instance: 'night',
    labels: new Map(),
    customer: (name: string) => displayName(night, name),
  };
  const readBy = Map.groupBy(messages, ({ receiver }) => receiver);
  const inboxOf = (receiver: string): Read[] =>
    (readBy.get(receiver) ?? []).map((one): Read => JSON.parse(formatMessageLine(night.kind, one, options), inTime));
  return {
    read: inboxOf(DUTY),
    heard: transitions.map((one): Heard => JSON.parse(formatTransitionLine(night.kind, one), inTime)),
    inboxes: new Map(
      night.customers.map(({ name }) => [
        name,
        inboxOf(name).filter(({ changes }) => changes.some(({ kind }) => kind !== 'source.baseline')),
      ]),
    ),
  };
}

/** As its messages say it: where several are watched, and one is to be told from the others. */
function displayName({ customers }: Night, source: string): string | null {
  const isCustomer = customers.length > 1 && customers.some(({ name }) => name === source);
  return isCustomer ? source.replace('customer-', 'Customer ') : null;
}

/** A receiver for each customer, which is sent its account alone, and one for whoever serves all of them. */
function routeOf({ customers }: Night): Route {
  const routes = customers.map(({ name }, index): Route => ({
    ...createRouteTo([DUTY, name]),
    rule: `route.routes[${index}]`,
    matchers: { source: [name] },
  }));
  return { ...createRouteTo([DUTY]), routes };
}

function inTime(key: string, value: unknown): unknown {
  return key === 'at' && typeof value === 'string' ? Date.parse(value) : value;
}

function stepsOf(night: Night): RecordedStep[] {
  const { notices, flips, start, end, customers } = night;
  const pages = [start, ...momentsOf(notices, flips).filter((at) => at > start && at < end)].map(
    (at): RecordedStep => ({ at, account: null, answers: listAnswers(documentsAt(notices, flips, at), null) }),
  );
  const answers = customers.flatMap((of, index) => {
    // Every account is asked at its own second of the minute.
    const place = Math.round((index / customers.length) * MINUTE);
    const looks = Array.from(
      { length: Math.floor((end - start) / MINUTE) },
      (_, minute) => start + place + minute * MINUTE,
    );
    const extensions = extensionLists(of);
    return (place === 0 ? looks : [start, ...looks]).map((at) => lookAt(of, at, extensions(at)));
  });
  return [...pages, ...answers].toSorted((a, b) => a.at - b.at);
}

/** Worked out when it is asked for. */
function lookAt(of: Customer, at: number, extensions: object[]): RecordedStep {
  const failure = of.weather.find(({ from, until }) => from <= at && at < until);
  if (failure !== undefined) {
    const { error } = failure;
    return { at, account: of.name, answers: answered({ error }, { error }) };
  }
  const registrations = {
    get value() {
      return registrationsOf(of, at);
    },
  };
  return { at, account: of.name, answers: answered(registrations, { value: extensions }) };
}

function answered(registrations: RecordedAnswer, extensions: RecordedAnswer): RecordedStep['answers'] {
  return new Map([
    ['registrations.list', registrations],
    ['extensions.list', extensions],
  ]);
}

/** The same list as long as nobody is deleted. */
function extensionLists(of: Customer): (at: number) => object[] {
  const lists = new Map<number, object[]>();
  return (at) => {
    const left = of.phones.reduce((sum, { deletedAt }) => sum + (at < deletedAt ? 1 : 0), 0);
    const list = lists.get(left) ?? extensionsOf(of, at);
    lists.set(left, list);
    return list;
  };
}
