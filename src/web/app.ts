/** What can be asked over HTTP, and how each is answered. Only GET and HEAD, but for the form that makes a silence. */
import { Hono, type Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { SilenceAsk } from '../core/alert/silence.ts';
import { isOwnForm, isOwnHost, type HostNames } from './access.ts';
import { calendarFeed } from './calendar.ts';
import { CONTENT_SECURITY_POLICY, type Fragment } from './frame.ts';
import type { Metrics } from './metrics.ts';
import { overviewPage } from './overview-page.ts';
import type { Picture } from '../core/view/picture.ts';
import { notReady } from '../core/view/readiness.ts';
import { askOf, silenceForm, silencePage, type SilenceForm } from './silences.ts';

/** Each resolves to null, or to a sentence that says why it was not done. */
export interface Silences {
  add(ask: SilenceAsk): Promise<string | null>;
  expire(id: string): Promise<string | null>;
}

export interface Web {
  picture(): Picture;
  metrics: Metrics;
  /** Whether a series for each missing phone is wanted. */
  metricsByPhone(): boolean;
  silences: Silences;
  names(): HostNames;
  /** Why silences cannot be made from the page; null where they can. */
  whyNotMute(): string | null;
  /** How often the overview loads again by itself. */
  refreshSeconds: number;
  /** Takes secrets out of whatever is shown. */
  redact(text: string): string;
  /** Told what went wrong; the one who asked is only told that something did. */
  failed(request: string, error: unknown): void;
}

const LONGEST_FORM = 16_384;
const PATHS: Readonly<Record<string, string>> = { '/silences': 'GET, HEAD, POST' };

export function createApp(web: Web): Hono {
  const app = new Hono();

  app.use(async (c, next) => {
    const refusal = refuse(c, web.names());
    if (refusal === null) await next();
    else c.res = refusal;
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  });

  app.get('/healthz', (c) => answer(c, 200, { status: 'alive' }, 'alive'));
  app.get('/readyz', (c) => {
    const reasons = notReady(web.picture()).map((reason) => web.redact(reason));
    const ready = reasons.length === 0;
    const text = ready ? 'ready' : ['not ready', ...reasons.map((reason) => `- ${reason}`)].join('\n');
    return answer(c, ready ? 200 : 503, { ready, reasons }, text);
  });
  app.get('/metrics', async (c) =>
    c.body(await web.metrics.text(web.picture(), web.metricsByPhone()), 200, {
      'content-type': web.metrics.contentType,
    }),
  );
  app.get('/calendar.ics', (c) =>
    c.body(web.redact(calendarFeed(web.picture())), 200, {
      'content-type': 'text/calendar; charset=utf-8; method=PUBLISH',
      'content-disposition': 'inline; filename="linewatch.ics"',
    }),
  );
  app.get('/', (c) => {
    const { refreshSeconds } = web;
    const refreshes = c.req.query('refresh') !== 'off';
    if (refreshes) c.header('refresh', String(refreshSeconds));
    return show(c, overviewPage(web.picture(), { refreshes, refreshSeconds, mayMute: web.whyNotMute() === null }));
  });
  app.get('/silences', (c) =>
    showSilences(
      c,
      silenceForm((name) => c.req.query(name)),
      null,
    ),
  );
  app.post('/silences', async (c) => {
    const whyNot = web.whyNotMute() ?? whyNotThisForm(c);
    if (whyNot !== null) return plain(c, 403, whyNot);
    const fields = await readForm(c);
    if (fields === null) return plain(c, 413, `A form may have ${LONGEST_FORM} bytes.`);
    const form = silenceForm((name) => fields.get(name) ?? undefined);
    const trouble = await taken(fields.get('expire'), form);
    // The answer leads back to the page, so that loading it again does not send the form again.
    return trouble === null ? c.body(null, 303, { location: 'silences' }) : await showSilences(c, form, trouble);
  });
  app.notFound((c) => plain(c, 404, 'There is nothing here.'));
  app.onError((error, c) => {
    web.failed(`${c.req.method} ${c.req.path}`, error);
    return plain(c, 500, 'Linewatch could not answer; its log says why.');
  });

  async function taken(expire: string | null, form: SilenceForm): Promise<string | null> {
    if (expire !== null) return await web.silences.expire(expire);
    const ask = askOf(form, web.picture().now);
    return typeof ask === 'string' ? ask : await web.silences.add(ask);
  }

  function whyNotThisForm(c: Context): string | null {
    const [host, origin, fetchSite] = ['host', 'origin', 'sec-fetch-site'].map((name) => c.req.header(name));
    if (isOwnForm({ host, origin, fetchSite }, web.names().externalUrl)) return null;
    return 'A silence can be made from Linewatch’s own page only, or with "linewatch silence add".';
  }

  async function showSilences(c: Context, form: SilenceForm, trouble: string | null): Promise<Response> {
    return await show(c, silencePage(web.picture(), form, web.whyNotMute(), trouble), trouble === null ? 200 : 422);
  }

  async function show(c: Context, page: Fragment, status: 200 | 422 = 200): Promise<Response> {
    return c.body(web.redact(String(await page)), status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
    });
  }

  return app;
}

/** Null where it is too large: then the rest is not read. */
async function readForm(c: Context): Promise<URLSearchParams | null> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const piece of c.req.raw.body ?? []) {
    size += piece.byteLength;
    if (size > LONGEST_FORM) return null;
    text += decoder.decode(piece, { stream: true });
  }
  return new URLSearchParams(text + decoder.decode());
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // A form's Origin header would be "null" under no-referrer.
  'referrer-policy': 'same-origin',
};

function refuse(c: Context, names: HostNames): Response | null {
  const { method, path } = c.req;
  // A probe may come by any name, and the answer says nothing.
  if (path !== '/healthz' && !isOwnHost(c.req.header('host'), names)) {
    return plain(c, 421, 'Linewatch is not known by this name. Set http.external_url to the address people use.');
  }
  const allowed = PATHS[path] ?? 'GET, HEAD';
  if (allowed.split(', ').includes(method)) return null;
  return plain(c, 405, `Only ${allowed} are answered here.`, { allow: allowed });
}

function plain(
  c: Context,
  status: 403 | 404 | 405 | 413 | 421 | 500,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return c.text(`${text}\n`, status, headers);
}

function answer(c: Context, status: 200 | 503, json: Record<string, unknown>, text: string): Response {
  const type = accepts(c, { header: 'Accept', supports: ['text/plain', 'application/json'], default: 'text/plain' });
  c.header('vary', 'Accept');
  return type === 'application/json' ? c.json(json, status) : c.text(`${text}\n`, status);
}
