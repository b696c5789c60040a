/**
 * The HTTP application. Only GET and HEAD, except forms that change something; and only for viewers with access, except
 * pages that reveal nothing.
 */
import { Hono } from 'hono';
import { renderError } from './views/error-page.ts';
import { finishPage, HEADERS, reportFailure, sendPlain, show, type Env } from './responses.ts';
import type { Viewer } from './access/sign-in-link.ts';
import { compress } from './compression.ts';
import { addApiRoutes } from './data/api.ts';
import { checkAccess, addAuthRoutes, refuse, refuseCustomers, isPageWanted, limitWeb } from './access/auth-routes.ts';
import { createStreams } from './event-streams.ts';
import { addFeedRoutes } from './data/feed-routes.ts';
import { renderNowPage } from './views/now-page.ts';
import { addFormRoutes, addPageRoutes, createPageContext, readHistory } from './page-routes.ts';
import { NO_FILTER } from './views/customer-filter.ts';
import { addSeenRoute } from './views/seen-page.ts';
import { createSessions } from './access/sessions.ts';
import type { Web } from './web.ts';

/** Addresses answered without a queue: probes, which need an answer soon, and static content. */
const AT_ONCE = /^\/(healthz|readyz|seen\/\w+|sign-in|sign-out|style-\w+\.css|live-\w+\.js|inter-\w+\.woff2)$/;

/** Does not listen by itself. Errors go to `web.failed`, and the client gets 500. */
export function createApp(web: Web): Hono<Env> {
  const app = new Hono<Env>();
  const viewers = createSessions(() => web.settings().looks, web.now);
  const streams = createStreams({
    async render(viewer) {
      const seen = limitWeb(web, viewer);
      const history = await readHistory(seen);
      const page = await renderNowPage(createPageContext(seen, viewer), NO_FILTER, history);
      return finishPage(String(page), web.redact);
    },
    isCurrent: viewers.isCurrent,
    failed: (error) => web.failed('the pages that are open', error),
  });
  web.onChange(streams.changed, () => streams.count > 0);

  app.use(async (c, next) => {
    const refusal = refuse(c, web) ?? (await checkAccess(c, web, viewers)) ?? refuseCustomers(c);
    if (refusal !== null) {
      c.res = refusal;
    } else {
      // The status page reads its history at the same time.
      if (!AT_ONCE.test(c.req.path) && c.req.path !== '/') await web.recent();
      await next();
    }
    if (c.env.outgoing?.headersSent === true) return;
    for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.header(name, value);
    compress(c);
  });
  addFeedRoutes(app, streams);
  addPageRoutes(app);
  addFormRoutes(app, streams);
  addAuthRoutes(app, web, viewers);
  addSeenRoute(app, web);
  addApiRoutes(app);
  app.notFound(async (c) => {
    const viewer = c.get('viewer') as Viewer | undefined;
    if (viewer === undefined || !isPageWanted(c)) return sendPlain(c, 404, 'There is nothing here.');
    const page = renderError(
      createPageContext(c.get('web'), viewer),
      'There is nothing here',
      c.req.path.split('/').length > 2 ? 1 : 0,
    );
    return await show(c, page, web.redact, 404);
  });
  app.onError((error, c) => {
    reportFailure(c, error, web);
    return sendPlain(c, 500, 'Linewatch could not answer; its log says why.');
  });
  return app;
}
