/** Routes of the pages, and of their forms. */
import type { Fragment } from './look/icons.ts';
import type { Hono } from 'hono';
import { isOwnForm } from './access/access.ts';
import { findSourceTitle } from './look/source-title.ts';
import { renderAlertPage, renderNoAlertPage } from './alert/alert-page.ts';
import { addCallerRoutes, renderCallers } from './data/callers.ts';
import { readStory } from '../core/view/story/known-story.ts';
import { PREVIEWED } from '../core/alert/silence.ts';
import { listBegunAlerts } from '../core/view/verdict/alert-order.ts';
import type { OpenAlert } from '../core/view/system-status.ts';
import {
  makeWhileConnected,
  sendPlain,
  readForm,
  show,
  showWhile,
  sendTooLarge,
  type WebRequest,
  type Env,
} from './responses.ts';
import type { Web } from './web.ts';
import { readDaysFilter } from './days/days-filter.ts';
import { renderCustomerPage } from './views/customer-page.ts';
import { limitToCustomers } from './access/customer-sight.ts';
import { renderError } from './views/error-page.ts';
import { renderDaysContent, renderDaysFrame } from './days/days-page.ts';
import { renderDeliveriesPage, type DeliveriesAnswer } from './views/deliveries-page.ts';
import type { Streams } from './event-streams.ts';
import type { PageContext } from './look/layout.ts';
import type { Viewer } from './access/sign-in-link.ts';
import { renderMaintenancePage } from './views/maintenance-page.ts';
import { renderNowPage, type RecentHistory } from './views/now-page.ts';
import { exportRoutes } from './data/export-routes.ts';
import { readFilter } from './views/customer-filter.ts';
import { askOf, readSilenceForm, type SilenceForm } from './views/silence-form.ts';
import { renderSilencePage } from './views/silences.ts';
import { renderWallPage } from './views/wall-page.ts';

/** Fields of the form to acknowledge an alert. */
interface TakingForm {
  by: string;
  comment: string;
}

/** Uses the current status, unless one is given. */
export function createPageContext(web: Web, viewer: Viewer, status = web.status()): PageContext {
  return { status, viewer, refreshSeconds: web.refreshSeconds };
}

function contextOf(c: WebRequest): PageContext {
  return createPageContext(c.get('web'), c.get('viewer'));
}

/** Reads the history and the state of other members at once: each takes a while for thousands of accounts. */
export async function readHistory(web: Web): Promise<RecentHistory> {
  const [history] = await Promise.all([web.history.now(), web.recent()]);
  return history;
}

/** 404 for an unknown customer, and for one that the viewer may not see: the answers are the same. */
async function showCustomer(c: WebRequest): Promise<Response> {
  const key = c.req.param('key') ?? '';
  const web = limitToCustomers(c.get('web'), [key]);
  const context = createPageContext(web, c.get('viewer'));
  const page = await renderCustomerPage(context, key, await web.history.now());
  return await show(
    c,
    page ?? renderError(contextOf(c), 'There is no such customer', 1),
    web.redact,
    page === null ? 404 : 200,
  );
}

export function addPageRoutes(app: Hono<Env>): void {
  const shown = async (c: WebRequest, page: Fragment): Promise<Response> => await show(c, page, c.get('web').redact);
  app.get('/', async (c) => {
    const web = c.get('web');
    const history = await readHistory(web);
    const wall = c.req.query('wall');
    const known = createPageContext(web, c.get('viewer'));
    const context = c.req.query('refresh') === 'off' ? { ...known, refreshSeconds: null } : known;
    const filter = readFilter((name) => c.req.query(name));
    return await shown(
      c,
      wall === undefined ? renderNowPage(context, filter, history) : renderWallPage(context, history),
    );
  });
  app.get('/customers/:key', async (c) => await showCustomer(c));
  app.get('/days', async (c) => {
    const web = c.get('web');
    const context = createPageContext(web, c.get('viewer'));
    const filter = readDaysFilter((name) => c.req.query(name));
    const trouble = await makeWhileConnected(c, web.history.trouble);
    if (trouble !== null) {
      const page = renderDaysFrame(context, await renderDaysContent(context, trouble, filter));
      return await show(c, page, web.redact, 503);
    }
    const content = async (): Promise<Fragment> => await renderDaysContent(context, await web.history.days(), filter);
    return await showWhile(c, (main) => renderDaysFrame(context, main), content, web);
  });
  exportRoutes(app);
  app.get('/maintenance', async (c) => {
    const { days } = await c.get('web').history.now();
    return await shown(c, renderMaintenancePage(contextOf(c), days));
  });
  app.get('/alerts/:number{[0-9]{1,9}}', (c) => showStory(c, null, { by: '', comment: '' }));
  addCallerRoutes(app);
  app.get('/deliveries', (c) => showDeliveries(c, {}));
  app.get('/silences', (c) => {
    const form = readSilenceForm((name) => c.req.query(name));
    return showSilences(c, form, null);
  });
}

/** Changes nothing: the form returns with the effect of the silence. */
async function showPreview(c: WebRequest, form: SilenceForm): Promise<Response> {
  const web = c.get('web');
  const context = contextOf(c);
  const ask = askOf(form, context.status);
  if (typeof ask === 'string') return await showSilences(c, form, ask);
  const open = listBegunAlerts(web.withSilence(ask));
  const isSilenced = ({ parts }: OpenAlert): boolean => parts.every(({ silencedBy }) => silencedBy !== null);
  const newIn = ({ parts }: OpenAlert): string[] => {
    const muted = parts.filter(({ silencedBy }) => silencedBy === PREVIEWED);
    return [...new Set(muted.map(({ source }) => findSourceTitle(context.status, source)))];
  };
  const isNew = (alert: OpenAlert): boolean => newIn(alert).length > 0;
  const preview = {
    silenced: open.filter((alert) => isSilenced(alert) && isNew(alert)),
    sent: open.flatMap((alert) => (isSilenced(alert) ? [] : [{ number: alert.number, without: newIn(alert) }])),
    already: open.filter((alert) => isSilenced(alert) && !isNew(alert)).length,
  };
  return await show(c, renderSilencePage(context, form, null, preview), web.redact);
}

async function showSilences(c: WebRequest, form: SilenceForm, trouble: string | null): Promise<Response> {
  return await show(
    c,
    renderSilencePage(contextOf(c), form, trouble),
    c.get('web').redact,
    trouble === null ? 200 : 422,
  );
}

async function showDeliveries(c: WebRequest, answer: DeliveriesAnswer): Promise<Response> {
  const web = c.get('web');
  const [waiting, recent] = [await web.waiting(), await web.history.deliveries()];
  const page = renderDeliveriesPage(createPageContext(web, c.get('viewer')), waiting, recent, answer);
  return await show(c, page, web.redact, answer.trouble === undefined ? 200 : 422);
}

/** The answer is shown at once, as it is stored nowhere else. */
async function showTest(c: WebRequest, receiver: string): Promise<Response> {
  const answer = await makeWhileConnected(c, () => c.get('web').changes.test(receiver));
  if (typeof answer === 'string') return await showDeliveries(c, { trouble: answer });
  return await showDeliveries(c, { test: { receiver, ...answer } });
}

async function showStory(c: WebRequest, trouble: string | null, form: TakingForm): Promise<Response> {
  const web = c.get('web');
  const number = Number(c.req.param('number'));
  const { status, story, history, unread } = await readStory(web, number, c.req.query('id'));
  const context = createPageContext(web, c.get('viewer'), status);
  if (story === null && unread !== null) return sendPlain(c, 503, web.redact(unread));
  if (story === null) return await show(c, renderNoAlertPage(context, number), web.redact, 404);
  const callers = renderCallers(status, await web.missed(number), number);
  const page = renderAlertPage(context, story, history, { asked: number, trouble, form, callers });
  return await show(c, page, web.redact, trouble === null ? 200 : 422);
}

/** A form of another site is refused with 403; so is every form of viewers who may not change anything. */
export function addFormRoutes(app: Hono<Env>, streams: Streams): void {
  /**
   * Performs the request of a form. The answer redirects to the page, so that a reload does not send the form again.
   */
  async function changing(
    c: WebRequest,
    location: string,
    change: (fields: URLSearchParams) => Promise<Response | null>,
  ): Promise<Response> {
    const whyNot = c.get('viewer').whyNotChange ?? whyNotThisForm(c, c.get('web'));
    if (whyNot !== null) return sendPlain(c, 403, whyNot);
    const fields = await readForm(c);
    if (fields === null) return sendTooLarge(c);
    const trouble = await change(fields);
    streams.changed();
    return trouble ?? c.body(null, 303, { location });
  }

  app.post('/silences', (c) =>
    changing(c, 'silences', async (fields) => {
      const form = readSilenceForm((name) => fields.get(name) ?? undefined);
      if (fields.get('do') === 'preview') return await showPreview(c, form);
      const trouble = await muted(c.get('web'), fields.get('expire'), form, c.get('viewer').name);
      return trouble === null ? null : await showSilences(c, form, trouble);
    }),
  );
  app.post('/deliveries', (c) =>
    changing(c, 'deliveries', async (fields) => {
      const receiver = fields.get('receiver') ?? '';
      if (fields.get('do') === 'test') return await showTest(c, receiver);
      const what = fields.get('do') === 'retry' ? 'retry' : 'drop';
      const trouble = await c.get('web').changes.deliver(what, receiver, fields.get('id') ?? '');
      return trouble === null ? null : await showDeliveries(c, { trouble });
    }),
  );
  app.post('/alerts/:number{[0-9]{1,9}}', (c) =>
    changing(c, c.req.param('number'), async (fields) => {
      const by = (c.get('viewer').name ?? fields.get('by') ?? '').trim().slice(0, 100);
      const form = { by, comment: (fields.get('comment') ?? '').slice(0, 1_000) };
      const { acknowledge, release } = c.get('web').changes;
      const number = Number(c.req.param('number'));
      const isRelease = fields.get('do') === 'release';
      const trouble =
        by === ''
          ? `Say who you are: everybody hears who ${isRelease ? 'released' : 'has'} it.`
          : await (isRelease ? release(number, by) : acknowledge(number, by, form.comment));
      return trouble === null ? null : await showStory(c, trouble, form);
    }),
  );
}

/** `expire` is the silence to end; null to create one. */
async function muted(web: Web, expire: string | null, form: SilenceForm, by: string | null): Promise<string | null> {
  if (expire !== null) return await web.changes.endSilence(expire);
  const ask = askOf(form, web.status());
  return typeof ask === 'string' ? ask : await web.changes.mute({ ...ask, ...(by !== null && { by }) });
}

function whyNotThisForm(c: WebRequest, web: Web): string | null {
  const [host, origin, fetchSite] = ['host', 'origin', 'sec-fetch-site'].map((name) => c.req.header(name));
  if (isOwnForm({ host, origin, fetchSite }, web.settings().names.externalUrl)) return null;
  return 'Something can be changed from Linewatch’s own page only, or with its commands.';
}
