/** The report of a month in each of its formats. */
import { csvReport } from './csv.ts';
import { htmlReport } from './html-report.ts';
import { jsonReport } from './json.ts';
import type { Report } from './monthly-report.ts';
import { textReport } from './text-report.ts';

export const REPORT_FORMATS = ['text', 'html', 'csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const ENDINGS: Readonly<Record<ReportFormat, string>> = { text: 'txt', html: 'html', csv: 'csv', json: 'json' };

/** `jsonOf` writes a value as JSON. */
export function printedReport(
  report: Report,
  format: ReportFormat,
  jsonOf = (value: unknown): string => JSON.stringify(value, null, 2),
): string {
  switch (format) {
    case 'text':
      return `${textReport(report)}\n`;
    case 'html':
      return htmlReport(report);
    case 'csv':
      return csvReport(report);
    case 'json':
      return `${jsonOf(jsonReport(report))}\n`;
  }
}

/** Of the file that it is saved as; `month` such as 2026-10. */
export function reportFileName(month: string, format: ReportFormat): string {
  return `linewatch-report-${month}.${ENDINGS[format]}`;
}
