/** Formats of the report. */
import { formatReportCsv } from './csv.ts';
import { renderHtml } from './html-report.ts';
import { toJsonReport } from './json.ts';
import type { Span } from '../history/rows.ts';
import type { Report } from './monthly-report.ts';
import { formatTextReport } from './text-report.ts';

export const REPORT_FORMATS = ['text', 'html', 'csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const ENDINGS: Readonly<Record<ReportFormat, string>> = { text: 'txt', html: 'html', csv: 'csv', json: 'json' };

interface Printing {
  /** JSON serialiser. */
  jsonOf?: (value: unknown) => string;
  /** Line width of the text format; default: unlimited. */
  width?: number;
}

export function printReport(
  report: Report,
  format: ReportFormat,
  { jsonOf = (value) => JSON.stringify(value, null, 2), width = Infinity }: Printing = {},
): string {
  switch (format) {
    case 'text':
      return `${formatTextReport(report, width)}\n`;
    case 'html':
      return renderHtml(report);
    case 'csv':
      return formatReportCsv(report);
    case 'json':
      return `${jsonOf(toJsonReport(report))}\n`;
  }
}

/** File name for downloads. */
export function nameReportFile({ month, since, until }: Pick<Report, 'month'> & Span, format: ReportFormat): string {
  const dates = [since, until].map((at) => new Date(at).toISOString().slice(0, 16).replace(':', ''));
  return `linewatch-report-${month ?? dates.join('-')}.${ENDINGS[format]}`;
}
