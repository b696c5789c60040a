/** Exports from the page: days, changes and planned work as CSV, and the monthly report. Generated from the history on request. */
import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { formatDaysCsv } from '../../core/report/csv.ts';
import { REPORT_STYLE } from '../../core/report/report-style.ts';
import { parsePeriod } from '../../core/report/period.ts';
import type { DaysView } from '../../core/report/days.ts';
import { REPORT_FORMATS, nameReportFile, type ReportFormat } from '../../core/report/printed.ts';
import { sendDownload, makeWhileConnected, sendPlain, type Env, type WebRequest } from '../responses.ts';
import { createPieces } from './pieces.ts';
import { readDaysFilter, selectShownSources, type ShownSource } from '../days/days-filter.ts';
import { formatMaintenanceCsv } from '../views/maintenance-done.ts';
import type { HistoryExport } from '../web.ts';

/** Exports that wait or are being sent. */
const MOST_PAPERS = 4;
const LATER = { 'retry-after': '10' };

const KINDS: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

export function exportRoutes(app: Hono<Env>): void {
  let papers = 0;

  /** Generated in a thread, and sent. */
  async function send(
    c: WebRequest,
    make: () => Promise<HistoryExport>,
    headers: Record<string, string>,
  ): Promise<Response> {
    const { outgoing } = c.env;
    const web = c.get('web');
    if (papers >= MOST_PAPERS) {
      return sendPlain(c, 503, 'Several exports are being made; ask again in a moment.', LATER);
    }
    papers += 1;
    let hasLeft = false;
    const leave = (): void => {
      papers -= hasLeft ? 0 : 1;
      hasLeft = true;
    };
    outgoing?.once('close', leave);
    try {
      const made = await makeWhileConnected(c, make);
      if (!('cause' in made)) {
        // The client has disconnected meanwhile.
        if (outgoing?.destroyed === true) await made.close();
        return sendDownload(c, made, headers, web);
      }
      leave();
      return made.cause === 'nothing kept'
        ? sendPlain(c, 404, web.redact(made.why))
        : sendPlain(c, 503, web.redact(made.why), LATER);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function shown(c: WebRequest): Promise<{ view: DaysView; all: ShownSource[] } | string> {
    const web = c.get('web');
    const view = await makeWhileConnected(c, web.history.days);
    if (typeof view === 'string') return view;
    return {
      view,
      all: selectShownSources(
        web.status(),
        view,
        readDaysFilter((name) => c.req.query(name)),
      ).all,
    };
  }

  app.get('/days.csv', async (c) => {
    const found = await shown(c);
    if (typeof found === 'string') return sendPlain(c, 503, found);
    const rows = found.all.flatMap((source) => source.rows);
    return sendDownload(
      c,
      createPieces(formatDaysCsv(rows, found.view.days)),
      attached('csv', 'linewatch-days.csv'),
      c.get('web'),
    );
  });
  app.get('/history.csv', async (c) => {
    const found = await shown(c);
    if (typeof found === 'string') return sendPlain(c, 503, found);
    const sources = found.all.map(({ source }) => source);
    const since = found.view.days[0]?.since ?? 0;
    return await send(
      c,
      async () => await c.get('web').history.export({ what: 'changes', since, sources }),
      attached('csv', 'linewatch-history.csv'),
    );
  });
  app.get('/maintenance.csv', async (c) => {
    const web = c.get('web');
    const days = await makeWhileConnected(c, web.history.days);
    if (typeof days === 'string') return sendPlain(c, 503, web.redact(days));
    const name = 'linewatch-maintenance.csv';
    return c.body(web.redact(formatMaintenanceCsv(web.status(), days)), 200, attached('csv', name));
  });
  for (const path of ['/report', '/api/report']) {
    app.get(path, async (c) => {
      const web = c.get('web');
      const format = path === '/report' ? formatOf(c.req.query('format') ?? 'html') : 'json';
      if (format === null) return sendPlain(c, 422, 'format is one of html, csv, json and text.');
      const { timezone, sources } = web.status();
      const written = (name: string): string | undefined => c.req.query(name) || undefined;
      const asked = { month: written('month'), from: written('from'), to: written('to') };
      const period = parsePeriod(asked, timezone, web.now(), (field, value) => value ?? field);
      if ('why' in period) return sendPlain(c, 422, `${period.why}.`);
      const { month, span } = period;
      const customer = written('customer');
      const source = c.req.query('source') || undefined;
      const watched = sources.map((one) => one.name);
      const name = nameReportFile({ month, ...span }, format);
      return await send(
        c,
        async () => await web.history.export({ what: 'report', month, span, format, source, customer, watched }),
        format === 'html' ? asPage(name) : path === '/report' ? attached(format, name) : { 'content-type': KINDS.json },
      );
    });
  }
}

function formatOf(asked: string): ReportFormat | null {
  return REPORT_FORMATS.find((format) => format === asked) ?? null;
}

function attached(format: ReportFormat, name: string): Record<string, string> {
  return { 'content-type': KINDS[format], 'content-disposition': `attachment; filename="${name}"` };
}

/** Same look as in a mail: its style is inline, and everything else is text. */
function asPage(name: string): Record<string, string> {
  const style = createHash('sha256').update(REPORT_STYLE).digest('base64');
  return {
    'content-type': KINDS.html,
    'content-disposition': `inline; filename="${name}"`,
    'content-security-policy': `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
