/** A status report as lines for people. */
import { readableState } from '../core/alert/title.ts';
import type { AccountReport } from '../core/view/account-report.ts';
import type { OpenReport } from '../core/view/alert-report.ts';
import type { DeliveryReport, SourceReport, StatusReport } from '../core/view/status-report.ts';
import { andMore, listed } from '../core/text/plain.ts';
import { accountLines } from './account-text.ts';
import { sinceText, timeText, type Reader } from './time-text.ts';

const NAMED_COMPONENTS = 12;
const NAMED_SOURCES = 3;

/** `stateDir` is where a daemon was looked for: the wrong one is the likeliest reason to find none. */
export function statusLines(report: StatusReport, reader: Reader, stateDir: string): string[] {
  const head = report.running
    ? `Linewatch ${report.instance} is running, started ${timeText(report.started_at, reader)}.`
    : `No daemon is running for ${report.instance} on ${stateDir}; this is what was last committed there.`;
  return [
    head,
    ...report.sources.flatMap((source) => ['', ...sourceLines(source, reader, report.running)]),
    ...report.accounts.flatMap((account) => ['', ...watchedAccountLines(account, reader, report.running)]),
    '',
    ...report.deliveries.map((delivery) => deliveryLine(delivery, reader)),
  ];
}

function sourceLines(source: SourceReport, reader: Reader, running: boolean): string[] {
  const page = source.page === null ? 'not read yet' : `${source.page.name}: ${readableState(source.page.state)}`;
  const read = readWord(source, running);
  const { total, not_operational: down } = source.components;
  const shown = down.slice(0, NAMED_COMPONENTS).map(({ name, state }) => `  ${name}: ${readableState(state)}`);
  return [
    `${source.name} (${source.base_url})`,
    `  ${page}; ${read} ${timeText(source.last_read_at, reader)}`,
    ...source.blind.map((why) => `  cannot be read: ${why}`),
    total === 0
      ? '  no components known'
      : `  ${total} components, ${down.length === 0 ? 'all operational' : `${down.length} not operational:`}`,
    ...shown.map((line) => `  ${line}`),
    ...andMore(down.length - shown.length).map((line) => `    ${line}`),
    ...openLines(source, reader),
  ];
}

function watchedAccountLines(account: AccountReport, reader: Reader, running: boolean): string[] {
  return [
    `${account.name} (${account.base_url})`,
    `  ${readWord(account, running)} ${timeText(account.last_read_at, reader)}`,
    ...accountLines(account, reader.now),
    ...openLines(account, reader),
  ];
}

/** Where a part cannot be read the others may have been read since. */
function readWord({ blind }: { blind: readonly string[] }, running: boolean): string {
  if (!running) return 'last change';
  return blind.length === 0 ? 'last read' : 'last read in full';
}

function openLines({ alerts, takes_part_in: elsewhere = [] }: OpenReport, reader: Reader): string[] {
  const lines = [
    ...alerts.flatMap(({ number, also = [], severity, title, why, started_at: at, sources: [, ...others] = [] }) => {
      const company = [...also.map((part) => `#${part}`), ...others];
      const together = company.length === 0 ? '' : ` (with ${listed(company, NAMED_SOURCES)})`;
      return [`    #${number} ${severity}: ${title}${together}, ${sinceText(at, reader)}`, ...whyLines(why, '      ')];
    }),
    ...elsewhere.map(({ number, shown_at: source }) => `    takes part in #${number}, see ${source}`),
  ];
  return lines.length === 0 ? ['  nothing open'] : ['  open:', ...lines];
}

/** Under the alert that it is of. */
export function whyLines(why: string | undefined, indent: string): string[] {
  return why === undefined ? [] : [`${indent}why: ${why}`];
}

function deliveryLine(delivery: DeliveryReport, reader: Reader): string {
  const waiting =
    delivery.waiting === 0
      ? 'nothing waits'
      : `${delivery.waiting} waiting, the oldest ${sinceText(delivery.oldest_waiting_at, reader)}`;
  const refused = delivery.refused === 0 ? '' : `; ${delivery.refused} refused for good`;
  const failing =
    delivery.failing === null
      ? ''
      : `; failing ${sinceText(delivery.failing.since, reader)}: ${delivery.failing.reason}`;
  return `receiver ${delivery.receiver}: ${waiting}${refused}${failing}`;
}
