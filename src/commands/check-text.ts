/** The result of a check as lines for people: what is wrong first. */
import { readableState } from '../alert/titles.ts';
import type { CheckReport } from './check.ts';

const WORDS = { ok: 'OK', warning: 'WARNING', critical: 'CRITICAL', unknown: 'UNKNOWN' } as const;

export function checkLines(report: CheckReport): string[] {
  const lines = report.sources.flatMap((source) => {
    const page = source.page === null ? 'not read' : `${source.page.name} says ${readableState(source.page.state)}`;
    const { total, not_operational: down } = source.components;
    // None known is not all well.
    const components =
      total === 0 ? 'no components known' : `${total - down.length} of ${total} components operational`;
    return [
      `${WORDS[source.verdict]} ${source.name}: ${page}; ${components}`,
      ...source.blind.map((why) => `  could not be read: ${why}`),
      ...source.alerts.map((alert) => `  ${alert.severity}: ${alert.title} (since ${alert.started_at ?? 'unknown'})`),
      ...down.map(({ name, state }) => `  ${name}: ${readableState(state)}`),
      ...source.notices.map(
        (notice) =>
          `  notice ${notice.id}, ${readableState(notice.state ?? notice.type)}: ${notice.subject}${notice.url === null ? '' : ` ${notice.url}`}`,
      ),
    ];
  });
  return report.sources.length === 0 ? [`${WORDS[report.verdict]}: no status page is configured`] : lines;
}
