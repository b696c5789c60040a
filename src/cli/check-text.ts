/** The result of a check as lines for people: what is wrong first. */
import { readableState } from '../core/alert/title.ts';
import type { AlertReport } from '../core/view/alert-report.ts';
import { accountLines } from './account-text.ts';
import type { CheckReport } from './check-report.ts';
import { whyLines } from './status-text.ts';
import { sinceText, type Reader } from './time-text.ts';

const WORDS = { ok: 'OK', warning: 'WARNING', critical: 'CRITICAL', unknown: 'UNKNOWN' } as const;

export function checkLines(report: CheckReport, reader: Reader): string[] {
  const alertLines = ({ severity, title, why, started_at: at }: AlertReport): string[] => [
    `  ${severity}: ${title}, ${sinceText(at, reader)}`,
    ...whyLines(why, '    '),
  ];
  const lines = report.sources.flatMap((source) => {
    const page = source.page === null ? 'not read' : `${source.page.name} says ${readableState(source.page.state)}`;
    const { total, not_operational: down } = source.components;
    // None known is not all well.
    const components =
      total === 0 ? 'no components known' : `${total - down.length} of ${total} components operational`;
    return [
      `${WORDS[source.verdict]} ${source.name}: ${page}; ${components}`,
      ...source.blind.map((why) => `  could not be read: ${why}`),
      ...source.alerts.flatMap(alertLines),
      ...down.map(({ name, state }) => `  ${name}: ${readableState(state)}`),
      ...source.notices.map(
        (notice) =>
          `  notice ${notice.id}, ${readableState(notice.state ?? notice.type)}: ${notice.subject}${notice.url === null ? '' : ` ${notice.url}`}`,
      ),
    ];
  });
  const accounts = report.accounts.flatMap((account) => [
    `${WORDS[account.verdict]} ${account.name}`,
    ...accountLines(account, reader.now),
    ...account.alerts.flatMap(alertLines),
  ]);
  const all = [...lines, ...accounts];
  return all.length === 0 ? [`${WORDS[report.verdict]}: no status page and no account is configured`] : all;
}
