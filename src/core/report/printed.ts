/** The report of a month in each of its formats. */
import { csvReport } from './csv.ts';
import { htmlReport } from './html-report.ts';
import { jsonReport } from './json.ts';
import type { Span } from '../history/rows.ts';
import type { Report } from './monthly-report.ts';
import { textReport } from './text-report.ts';

export const REPORT_FORMATS = ['text', 'html', 'csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const ENDINGS: Readonly<Record<ReportFormat, string>> = { text: 'txt', html: 'html', csv: 'csv', json: 'json' };

interface Printing {
  /** Writes a value as JSON. */
  jsonOf?: (value: unknown) => string;
  /** Of the lines of a text; default: as wide as they are. */
  width?: number;
}

export function printedReport(
  report: Report,
  format: ReportFormat,
  { jsonOf = (value) => JSON.stringify(value, null, 2), width = Infinity }: Printing = {},
): string {
  switch (format) {
    case 'text':
      return `${textReport(report, width)}\n`;
    case 'html':
      return htmlReport(report);
    case 'csv':
      return csvReport(report);
    case 'json':
      return `${jsonOf(jsonReport(report))}\n`;
  }
}

/** Of the file that it is saved as. */
export function reportFileName({ month, since, until }: Pick<Report, 'month'> & Span, format: ReportFormat): string {
  const dates = [since, until].map((at) => new Date(at).toISOString().slice(0, 16).replace(':', ''));
  return `linewatch-report-${month ?? dates.join('-')}.${ENDINGS[format]}`;
}
