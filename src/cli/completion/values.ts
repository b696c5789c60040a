/** Completions from the running daemon: open alerts, silences, pending messages. */
import { listCustomers, listSourceNames } from '../../config/config.ts';
import { listReportCustomers } from '../../config/report-names.ts';
import { truncate, toOneLine } from '../../core/text/plain.ts';
import { KINDS } from '../../core/transition/kind.ts';
import type { DaemonReach } from '../reach-daemon.ts';

export const VALUE_KINDS = [
  'alerts',
  'sources',
  'accounts',
  'customers',
  'receivers',
  'silences',
  'deliveries',
  'members',
  'kinds',
  'matchers',
] as const;
type ListedKind = (typeof VALUE_KINDS)[number];

/** A value and its meaning; empty if the value is self-explanatory. */
type ValueRow = readonly [value: string, meaning: string];

/** Longest meaning: it shares a terminal line with its value. */
const LONGEST = 60;

/** One line per value: value, tab, meaning. Rejects with `ControlError` if no daemon answers. */
export async function listValues(kind: ListedKind, reach: DaemonReach): Promise<string[]> {
  const rows = await VALUES[kind](reach);
  return rows.map(([value, meaning]) => `${toOneLine(value)}\t${truncate(toOneLine(meaning), LONGEST)}`);
}

const VALUES: Readonly<Record<ListedKind, (reach: DaemonReach) => Promise<readonly ValueRow[]>>> = {
  async alerts({ ask }) {
    return (await ask('alert.list', {})).map(({ number, severity, title }) => [
      String(number),
      `${severity}: ${title}`,
    ]);
  },
  async sources({ ask }) {
    const { sources, accounts } = await ask('status', {});
    return [...sources, ...accounts].map(({ name, base_url: address }) => [name, address]);
  },
  async accounts({ ask }) {
    return (await ask('status', {})).accounts.map(({ name, base_url: address }) => [name, address]);
  },
  customers: ({ config }) =>
    Promise.resolve((config === null ? [] : listReportCustomers(config)).map((name) => [name, ''])),
  async receivers({ ask }) {
    return (await ask('status', {})).deliveries.map(({ receiver }) => [receiver, '']);
  },
  async silences({ ask }) {
    const all = await ask('silence.list', {});
    return all
      .filter(({ state }) => state !== 'expired')
      .map(({ id, comment, matchers }) => [id.slice(0, 8), comment === '' ? JSON.stringify(matchers) : comment]);
  },
  async deliveries({ ask }) {
    const all = await ask('deliveries.list', {});
    const receivers = [...new Set(all.map(({ receiver }) => receiver))];
    return [
      ...receivers.map((receiver) => [receiver, 'all that waits for it'] as const),
      ...all.map(({ id, title, receiver }) => [id.slice(0, 8), `${receiver}: ${title}`] as const),
    ];
  },
  async members({ ask }) {
    const { members } = await ask('status', {});
    return (members?.all ?? []).map(({ name, standing }) => [name, standing]);
  },
  kinds: () => Promise.resolve(KINDS.map((kind) => [kind, ''])),
  matchers({ config }) {
    const sources = config === null ? [] : listSourceNames(config).map((name) => `source=${name}`);
    const customers = config === null ? [] : listCustomers(config).map((name) => `customer=${name}`);
    const severities = ['critical', 'warning', 'info'].map((severity) => `severity=${severity}`);
    return Promise.resolve([...sources, ...customers, ...severities].map((matcher) => [matcher, '']));
  },
};
