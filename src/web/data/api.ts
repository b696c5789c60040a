/** The API: data of the pages as JSON, and its own description as OpenAPI. */
import type { Hono } from 'hono';
import * as z from 'zod';
import { computePercentUp, toDayState, sumRow, type DaysView } from '../../core/report/days.ts';
import { toTimestamp } from '../../core/transition/details.ts';
import { reportAlert, reportStatus } from '../../core/view/status-report.ts';
import { reportMuting, reportStory } from '../../core/view/story/story-report.ts';
import { isUnknownSource } from '../../core/view/verdict/known.ts';
import { listPageViews } from '../../core/view/verdict/sums.ts';
import { reportVerdict } from '../../core/view/verdict/verdict-report.ts';
import { readStory } from '../../core/view/story/known-story.ts';
import { makeWhileConnected, sendPlain, type WebRequest, type Env } from '../responses.ts';
import { API, type ApiName } from './api-schemas.ts';
import { readDaysFilter, selectShownSources, type DaysFilter } from '../days/days-filter.ts';
import type { Web } from '../web.ts';

const ANSWERS: Readonly<
  Record<Exclude<ApiName, 'alerts/{number}' | 'days' | 'report'>, (web: Web) => object | Promise<object>>
> = {
  verdict: ({ status }) => reportVerdict(status()),
  status: ({ status }) => reportStatus(status()),
  alerts: ({ status }) => status().open.map(reportAlert),
  ended: ({ status }) =>
    status().ended.map(({ startedAt, endedAt, sources, number, severity, title, state, url }) => ({
      number,
      severity,
      title,
      state,
      url,
      sources: [...sources],
      started_at: toTimestamp(startedAt),
      ended_at: toTimestamp(endedAt),
    })),
  components: ({ status }) =>
    listPageViews(status()).flatMap((page) =>
      page.components.all.map(({ id, name, state, parentId, since }) => ({
        source: page.name,
        id,
        name,
        state,
        parent_id: parentId,
        since: toTimestamp(since),
        known: !isUnknownSource(page),
      })),
    ),
  maintenance: ({ status }) =>
    status().maintenance.map(({ number, source, subject, phase, beginsAt, endsAt, affected, url }) => ({
      number,
      source,
      subject,
      phase,
      affected,
      url,
      begins_at: toTimestamp(beginsAt),
      ends_at: toTimestamp(endsAt),
    })),
  deliveries: ({ waiting }) => waiting(),
  silences: ({ status }) => status().silences.map((silence) => ({ ...reportMuting(silence), active: silence.active })),
};

function reportDays({ status }: Web, view: DaysView, filter: DaysFilter): z.infer<typeof API.days.schema> {
  const { sources, pages } = selectShownSources(status(), view, filter);
  const names = new Set(sources.map(({ source }) => source));
  const isHere = (each: { sources: readonly string[] }): boolean => each.sources.some((source) => names.has(source));
  return {
    since: toTimestamp(view.days[0]?.since ?? null),
    until: toTimestamp(view.days.at(-1)?.until ?? null),
    kept_since: toTimestamp(view.keptSince),
    page: filter.page,
    pages,
    rows: sources
      .flatMap(({ rows }) => rows)
      .map((row) => {
        const sum = sumRow(row);
        const { source, subject, name } = row;
        const days = row.days.map((time, index) => ({
          date: view.days[index]?.date ?? '',
          state: toDayState(time),
          up_ms: time.up,
          trouble_ms: time.degraded,
          maintenance_ms: time.maintenance,
          unknown_ms: time.unknown,
          noticed_ms: time.noticed ?? 0,
          most_lost: time.mostLost,
        }));
        const counts = { up_percent: computePercentUp(sum), unknown_ms: sum.unknown, lost_phone_ms: sum.lostMs };
        return { source, subject, name, ...counts, days };
      }),
    alerts: view.alerts
      .filter(isHere)
      .map(({ id, number, severity, title, sources: of, since, until, felt, mergedInto }) => ({
        id,
        number,
        severity,
        title,
        sources: of,
        started_at: toTimestamp(since),
        ended_at: toTimestamp(until),
        provider_lag_ms: felt?.lagMs ?? null,
        back_after_resolved_ms: felt?.afterResolvedMs ?? null,
        ...(mergedInto !== undefined && { merged_into: mergedInto }),
      })),
    gaps: view.gaps.filter(isHere).map(({ sources: of, since, until }) => ({
      sources: of,
      since: toTimestamp(since),
      until: toTimestamp(until),
    })),
  };
}

/** JSON under `/api/`, with secrets redacted; 404 for an unknown alert. */
export function addApiRoutes(app: Hono<Env>): void {
  const json = (c: WebRequest, value: unknown): Response =>
    c.body(c.get('web').redact(`${JSON.stringify(value, null, 2)}\n`), 200, {
      'content-type': 'application/json; charset=utf-8',
    });
  for (const path of ['/api', '/api/', '/api/openapi.json']) app.get(path, (c) => json(c, apiDocument()));
  for (const [name, answerOf] of Object.entries(ANSWERS)) {
    app.get(`/api/${name}`, async (c) => json(c, await answerOf(c.get('web'))));
  }
  app.get('/api/days', async (c) => {
    const web = c.get('web');
    const view = await makeWhileConnected(c, web.history.days);
    if (typeof view === 'string') return sendPlain(c, 503, view);
    const days = reportDays(
      web,
      view,
      readDaysFilter((name) => c.req.query(name)),
    );
    // As large as all other answers together: without the spaces that make those readable.
    return c.body(web.redact(JSON.stringify(days)), 200, { 'content-type': 'application/json; charset=utf-8' });
  });
  app.get('/api/alerts/:number{[0-9]{1,9}}', async (c) => {
    const web = c.get('web');
    const number = Number(c.req.param('number'));
    const { story, history, unread } = await readStory(web, number, c.req.query('id'));
    if (story === null && unread !== null) return sendPlain(c, 503, web.redact(unread));
    return story === null
      ? sendPlain(c, 404, `There is no alert #${number}, or it is forgotten.`)
      : json(c, reportStory(story, history, unread));
  });
}

function jsonSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { target: 'draft-2020-12' });
}

/** OpenAPI 3.1 of Linewatch itself. */
function apiDocument(): object {
  const paths = Object.entries(API).map(([path, { summary, schema, ...more }]) => {
    const query = Object.entries('query' in more ? more.query : {});
    const parameters = [
      ...(path.includes('{number}')
        ? [{ name: 'number', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }]
        : []),
      ...query.map(([name, [description, value]]) => ({ name, in: 'query', description, schema: jsonSchema(value) })),
    ];
    const content = { 'application/json': { schema: jsonSchema(schema) } };
    const refusals = Object.entries({ '401': 'Sign in first', ...('refusals' in more ? more.refusals : {}) });
    const refused = refusals.map(([status, description]) => [status, { description }] as const);
    return [
      `/api/${path}`,
      {
        get: {
          operationId: path.replaceAll(/\W+(\w)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase()),
          summary,
          parameters,
          responses: { '200': { description: summary, content }, ...Object.fromEntries(refused) },
        },
      },
    ];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Linewatch',
      version: '1',
      description:
        'How everything stands, for programs. From this machine without a word, from elsewhere with name and password.',
    },
    servers: [{ url: '../' }],
    security: [{}, { password: [] }],
    components: { securitySchemes: { password: { type: 'http', scheme: 'basic' } } },
    paths: Object.fromEntries(paths) as object,
  };
}
