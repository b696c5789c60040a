/**
 * Output of `check` in the format of the Monitoring Plugins Development Guidelines: one line with state, reason and
 * performance data, followed by details.
 */
import { toReadableLine } from '../../core/text/markup.ts';
import { formatRest, toOneLine, formatState } from '../../core/text/plain.ts';
import type { AccountReport, SiteReport, SourceReport } from '../../core/view/status-schema.ts';
import type { AlertReport } from '../../core/view/story/alert-schema.ts';
import { formatAccount, describeStateless, formatReadingGap } from './status-text.ts';
import { formatReaderSince, type ReaderTime } from '../time-text.ts';

const WORDS = { ok: 'OK', warning: 'WARNING', critical: 'CRITICAL', unknown: 'UNKNOWN' } as const;
export type CheckVerdict = keyof typeof WORDS;

/** Results of one check, with the verdict. */
export interface CheckReport {
  verdict: CheckVerdict;
  sources: (SourceReport & { verdict: CheckVerdict })[];
  accounts: (AccountReport & { verdict: CheckVerdict })[];
}

/** More reasons would make the first line unreadable on a phone. */
const NAMED_REASONS = 3;

export function checkLines(report: CheckReport, reader: ReaderTime): string[] {
  return [
    `${formatHeadLine(report.verdict, reasonsOf(report))} | ${performanceData(report).join(' ')}`,
    ...report.sources.flatMap((source) => pageLines(source, reader)).map(withoutBar),
    ...report.accounts.flatMap((account) => accountDetails(account, reader)).map(withoutBar),
  ];
}

/** `UNKNOWN: there is no configuration`: the first line without performance data. */
export function formatHeadLine(verdict: CheckVerdict, reason: string): string {
  return `${WORDS[verdict]}: ${withoutBar(toOneLine(reason))}`;
}

/** A bar starts the performance data, on any line. */
function withoutBar(line: string): string {
  return line.replaceAll('|', '/');
}

/** Reasons of the sources with the worst verdict; the sums if all is well. */
function reasonsOf({ verdict, sources, accounts }: CheckReport): string {
  const reasons = [
    ...accounts.filter((account) => account.verdict === verdict).flatMap((account) => accountReasons(account)),
    ...sources.filter((source) => source.verdict === verdict).flatMap((source) => pageReasons(source)),
  ];
  const shown = reasons.slice(0, NAMED_REASONS);
  return [shown.join('; '), ...formatRest(reasons.length - shown.length)].join(' ');
}

function accountReasons({
  name,
  verdict,
  alerts,
  blind,
  phones,
  unread = [],
}: CheckReport['accounts'][number]): string[] {
  if (verdict === 'ok') return [phones === null ? `${name} was read` : phoneSum(phones)];
  const [reason] = blind;
  if (verdict === 'unknown' && reason !== undefined) return [`${name} could not be read: ${reason}`];
  const sites = unread.includes('registrations') ? [] : (phones?.sites ?? []);
  const offline = sites.filter(({ missing }) => missing.length > 0).toSorted(byShareOffline);
  const bySite = offline.map(
    ({ site, missing, total }) => `${missing.length} of ${total} phones at ${site ?? 'an unknown address'} offline`,
  );
  // Alerts about phones repeat this; the details have them all.
  return bySite.length > 0 ? bySite : titlesOf(alerts, verdict);
}

function titlesOf(alerts: readonly AlertReport[], verdict: CheckVerdict): string[] {
  return alerts.filter(({ severity }) => severity === verdict).map(({ title }) => title);
}

function phoneSum({ registered, total }: { registered: number; total: number }): string {
  return `${registered} of ${total} phones registered`;
}

function byShareOffline(one: SiteReport, other: SiteReport): number {
  return other.missing.length / other.total - one.missing.length / one.total;
}

function pageReasons(source: CheckReport['sources'][number]): string[] {
  const { name, verdict, blind, alerts } = source;
  const [reason] = blind;
  if (verdict === 'unknown' && reason !== undefined) return [`${name} could not be read: ${reason}`];
  if (verdict !== 'ok') return titlesOf(alerts, verdict);
  const called = source.page === null ? `${name}: ` : '';
  return [`${called}${stateOf(source)}, ${componentSum(source)}`];
}

function stateOf(source: SourceReport): string {
  const { page } = source;
  if (page !== null) return `${page.name} says ${formatState(page.state)}`;
  const stateless = describeStateless(source);
  return stateless === null ? 'not read' : `read, ${stateless}`;
}

function componentSum({ components, unread }: Pick<SourceReport, 'components' | 'unread'>): string {
  const { total, not_operational: down } = components;
  // An empty list of components is not a healthy one.
  if (total === 0) return 'no components known';
  return `${total - down.length} of ${total} components operational${formatReadingGap(unread === true)}`;
}

/** `label=value;warn;crit;min;max`; U means undetermined. */
function performanceData({ sources, accounts }: CheckReport): string[] {
  const data: string[] = [];
  if (accounts.length > 0) {
    const isKnown = accounts.every(({ phones, unread = [] }) => phones !== null && !unread.includes('registrations'));
    const sum = (count: (phones: NonNullable<AccountReport['phones']>) => number): number =>
      accounts.reduce((all, { phones }) => all + (phones === null ? 0 : count(phones)), 0);
    const total = sum((phones) => phones.total);
    data.push(
      isKnown ? `registered=${sum((phones) => phones.registered)};;;0;${total}` : 'registered=U',
      isKnown ? `offline=${sum((phones) => phones.missing.length)};;;0;${total}` : 'offline=U',
    );
  }
  if (sources.length > 0) {
    const total = sources.reduce((all, { components }) => all + components.total, 0);
    const down = sources.reduce((all, { components }) => all + components.not_operational.length, 0);
    // Pages that show no components have none to count.
    const isKnown = total > 0 && sources.every(({ unread }) => unread !== true);
    data.push(isKnown ? `operational=${total - down};;;0;${total}` : 'operational=U');
  }
  return data;
}

function pageLines(source: CheckReport['sources'][number], reader: ReaderTime): string[] {
  return [
    `${WORDS[source.verdict]} ${source.name}: ${stateOf(source)}; ${componentSum(source)}`,
    ...source.blind.map((why) => `  could not be read: ${why}`),
    ...source.alerts.flatMap((alert) => alertLines(alert, reader)),
    ...source.components.not_operational.map(({ name, state }) => `  ${name}: ${formatState(state)}`),
    ...source.notices.map(({ id, state, type, subject, url }) => {
      const label = `notice ${id}, ${formatState(state ?? type)}: ${toReadableLine(subject)}`;
      return `  ${label}${url === null ? '' : ` ${url}`}`;
    }),
  ];
}

function accountDetails(account: CheckReport['accounts'][number], reader: ReaderTime): string[] {
  return [
    `${WORDS[account.verdict]} ${account.name}`,
    ...formatAccount(account, reader.now),
    ...account.alerts.flatMap((alert) => alertLines(alert, reader)),
  ];
}

function alertLines({ severity, title, started_at: at, why }: AlertReport, reader: ReaderTime): string[] {
  return [
    `  ${severity}: ${title}, ${formatReaderSince(at, reader)}`,
    ...(why === undefined ? [] : [`    why: ${why}`]),
  ];
}
