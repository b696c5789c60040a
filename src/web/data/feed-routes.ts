/** Routes for programs: probes, metrics, feeds, and resources of the pages. */
import type { Hono } from 'hono';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isStandingBy, listUnreadyReasons, describeLeader } from '../../core/view/readiness.ts';
import { sendAnswer, HEADERS, sendPlain, type Env } from '../responses.ts';
import { renderBadge } from './badge.ts';
import { renderCalendarFeed } from './calendar-feed.ts';
import type { Streams } from '../event-streams.ts';
import { renderAtomFeed } from './feed.ts';
import { FONT, FONT_PATH } from '../look/font.ts';
import { SCRIPT, SCRIPT_MARK } from '../look/script.ts';
import { STYLE, STYLE_MARK } from '../look/style.ts';

/** Changed content has another address. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * `/healthz` answers 200 as long as the process does; `/readyz` answers 503 with the reasons while something is wrong.
 */
export function addFeedRoutes(app: Hono<Env>, streams: Streams): void {
  app.get('/healthz', (c) => sendAnswer(c, 200, { status: 'alive' }, 'alive'));
  app.get(`/style-${STYLE_MARK}.css`, (c) =>
    c.body(STYLE, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': FOR_EVER }),
  );
  app.get(`/live-${SCRIPT_MARK}.js`, (c) =>
    c.body(SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': FOR_EVER }),
  );
  app.get(`/${FONT_PATH}`, (c) => c.body(FONT, 200, { 'content-type': 'font/woff2', 'cache-control': FOR_EVER }));
  app.get('/readyz', (c) => {
    const web = c.get('web');
    const status = web.status();
    const reasons = listUnreadyReasons(status).map((reason) => web.redact(reason));
    const ready = reasons.length === 0;
    const standby = isStandingBy(status);
    const leads = ready && status.members !== null ? `: ${describeLeader(status.members)}` : '';
    const how = standby ? `standing by${leads}` : 'ready';
    const text = ready ? how : [standby ? how : 'not ready', ...reasons.map((reason) => `- ${reason}`)].join('\n');
    return sendAnswer(
      c,
      ready ? 200 : 503,
      { ready, ...(standby && { standby, leader: status.members?.leader }), reasons },
      text,
    );
  });
  app.get('/metrics', async (c) => {
    const { metrics, status, settings } = c.get('web');
    const text = await metrics.text(status(), settings().metricsByPhone);
    return c.body(text, 200, { 'content-type': metrics.contentType });
  });
  app.get('/calendar.ics', (c) =>
    c.body(c.get('web').redact(renderCalendarFeed(c.get('web').status())), 200, {
      'content-type': 'text/calendar; charset=utf-8; method=PUBLISH',
      'content-disposition': 'inline; filename="linewatch.ics"',
    }),
  );
  app.get('/badge.svg', (c) =>
    c.body(c.get('web').redact(renderBadge(c.get('web').status())), 200, {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    }),
  );
  app.get('/feed.atom', (c) =>
    c.body(c.get('web').redact(renderAtomFeed(c.get('web').status(), c.get('web').settings().names.externalUrl)), 200, {
      'content-type': 'application/atom+xml; charset=utf-8',
    }),
  );
  app.get('/events', (c) => {
    const { outgoing } = c.env;
    if (outgoing === undefined) return sendPlain(c, 404, 'There is nothing here.');
    if (!streams.hasRoom(outgoing.socket?.remoteAddress)) {
      return sendPlain(c, 503, 'Too many pages are open: this one is not live.', { 'retry-after': '30' });
    }
    outgoing.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    streams.open(outgoing, c.get('viewer'), c.req.query('page') !== undefined);
    return RESPONSE_ALREADY_SENT;
  });
}
