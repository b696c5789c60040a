/** A status report as lines for people. */
import { readableState } from '../alert/titles.ts';
import { span } from '../briefing/time.ts';
import type { AccountReport } from '../daemon/account-report.ts';
import type { AlertReport, DeliveryReport, SourceReport, StatusReport } from '../daemon/report.ts';
import { accountLines } from './account-text.ts';

const NAMED_COMPONENTS = 12;

export function statusLines(report: StatusReport, now: number): string[] {
  const ago = agoFrom(now);
  const head = report.running
    ? `Linewatch ${report.instance} is running, started ${ago(report.started_at)}.`
    : `No daemon is running for ${report.instance}; this is what was last committed.`;
  return [
    head,
    ...report.sources.flatMap((source) => ['', ...sourceLines(source, ago, report.running)]),
    ...report.accounts.flatMap((account) => ['', ...watchedAccountLines(account, now, report.running)]),
    '',
    ...report.deliveries.map((delivery) => deliveryLine(delivery, ago)),
  ];
}

function agoFrom(now: number): (at: string | null) => string {
  return (at) => (at === null ? 'never' : `${span(Math.max(0, now - Date.parse(at)))} ago`);
}

function sourceLines(source: SourceReport, ago: (at: string | null) => string, running: boolean): string[] {
  const page = source.page === null ? 'not read yet' : `${source.page.name}: ${readableState(source.page.state)}`;
  const read = running ? 'last read' : 'last change';
  const { total, not_operational: down } = source.components;
  const shown = down.slice(0, NAMED_COMPONENTS).map(({ name, state }) => `  ${name}: ${readableState(state)}`);
  const more = down.length - shown.length;
  return [
    `${source.name} (${source.base_url})`,
    `  ${page}; ${read} ${ago(source.last_read_at)}`,
    ...source.blind.map((why) => `  cannot be read: ${why}`),
    total === 0
      ? '  no components known'
      : `  ${total} components, ${down.length === 0 ? 'all operational' : `${down.length} not operational:`}`,
    ...shown.map((line) => `  ${line}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
    ...openLines(source.alerts, ago),
  ];
}

function watchedAccountLines(account: AccountReport, now: number, running: boolean): string[] {
  const ago = agoFrom(now);
  return [
    `${account.name} (${account.base_url})`,
    `  ${running ? 'last read' : 'last change'} ${ago(account.last_read_at)}`,
    ...accountLines(account, now),
    ...openLines(account.alerts, ago),
  ];
}

function openLines(alerts: readonly AlertReport[], ago: (at: string | null) => string): string[] {
  if (alerts.length === 0) return ['  nothing open'];
  const line = (alert: AlertReport): string =>
    `    #${alert.number} ${alert.severity}: ${alert.title}, since ${ago(alert.started_at)}`;
  return ['  open:', ...alerts.map(line)];
}

function deliveryLine(delivery: DeliveryReport, ago: (at: string | null) => string): string {
  const waiting =
    delivery.waiting === 0
      ? 'nothing waits'
      : `${delivery.waiting} waiting, the oldest for ${ago(delivery.oldest_waiting_at).replace(' ago', '')}`;
  const refused = delivery.refused === 0 ? '' : `; ${delivery.refused} refused for good`;
  const failing =
    delivery.failing === null ? '' : `; failing since ${ago(delivery.failing.since)}: ${delivery.failing.reason}`;
  return `receiver ${delivery.receiver}: ${waiting}${refused}${failing}`;
}
