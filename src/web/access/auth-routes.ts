/** Sign-in and sign-out, and the answer to requests without access. */
import type { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { isOwnForm, isOwnHost } from './access.ts';
import {
  makeWhileConnected,
  sendPlain,
  readForm,
  show,
  sendTooLarge,
  toVisit,
  type WebRequest,
  type Env,
} from '../responses.ts';
import { isForCustomers, limitToCustomers } from './customer-sight.ts';
import type { Viewer } from './sign-in-link.ts';
import type { Web } from '../web.ts';
import { signInPage } from './sign-in-page.ts';
import { readSessionCookie, SESSION_COOKIE, type Sessions } from './sessions.ts';

const FORMS = /^\/(silences|deliveries|sign-in|sign-out|alerts\/\d{1,9})$/;
/** Addresses that reveal nothing about sources. */
const OPEN = /^\/(healthz|seen\/[a-z0-9]{1,60}|sign-in|style-\w+\.css|inter-\w+\.woff2)$/;

const NOT_NAMED = 'It is not known who you are: the proxy in front of Linewatch has to name you.';
const NO_USERS =
  'Nobody can sign in here: add http.users, or http.proxy_user_header for a proxy that names who looks. Without them the page is for this machine alone.';

/** Reason why a request is refused before its viewer is known; null if it is not. */
export function refuse(c: WebRequest, web: Web): Response | null {
  const { method, path } = c.req;
  // A probe may use any name, and the answer reveals nothing.
  if (path !== '/healthz' && !isOwnHost(c.req.header('host'), web.settings().names)) {
    return sendPlain(c, 421, 'Linewatch is not known by this name. Set http.external_url to the address people use.');
  }
  const allowed = /^\/sign-out$/.test(path) ? 'POST' : FORMS.test(path) ? 'GET, HEAD, POST' : 'GET, HEAD';
  if (allowed.split(', ').includes(method)) return null;
  return sendPlain(c, 405, `Only ${allowed} are answered here.`, { allow: allowed });
}

/** Null for a viewer with access. */
export async function checkAccess(c: WebRequest, web: Web, viewers: Sessions): Promise<Response | null> {
  // A password check waits for its turn.
  const viewer = await makeWhileConnected(c, () => viewers.viewer(toVisit(c)));
  if (viewer !== null) {
    c.set('viewer', viewer);
    c.set('web', limitWeb(web, viewer));
  }
  const { path, method } = c.req;
  if (viewer !== null || OPEN.test(path)) return null;
  const { users, proxyUserHeader } = web.settings().looks;
  if (Object.keys(users).length === 0) return sendPlain(c, 401, proxyUserHeader === null ? NO_USERS : NOT_NAMED);
  if (!(method === 'GET' || method === 'HEAD') || !isPageWanted(c)) {
    return sendPlain(c, 401, 'Sign in first, at /sign-in, or with name and password in the request.', {
      'www-authenticate': 'Basic realm="Linewatch", charset="UTF-8"',
    });
  }
  const up = path.split('/').length > 2 ? '../' : './';
  const to = `${path.slice(1)}${new URL(c.req.url).search}`;
  return c.body(null, 303, { location: `${up}sign-in?${new URLSearchParams({ to }).toString()}` });
}

/** The web as a viewer may see it: the one place that limits a user to some customers. */
export function limitWeb(web: Web, { customers }: Pick<Viewer, 'customers'>): Web {
  return customers === null ? web : limitToCustomers(web, customers);
}

/** Null for viewers who see all, and for addresses without data of other customers. */
export function refuseCustomers(c: WebRequest): Response | null {
  const viewer = c.get('viewer') as Viewer | undefined;
  if (viewer === undefined || viewer.customers === null || isForCustomers(c.req.path)) return null;
  return sendPlain(c, 403, 'This page is not for users of some customers.');
}

export function isPageWanted(c: WebRequest): boolean {
  const supports = ['text/html', 'application/json', 'text/plain'];
  return accepts(c, { header: 'Accept', supports, default: 'text/plain' }) === 'text/html';
}

/**
 * Sign-in is refused with 403 for a form of another site, and with 422 for a wrong password or after too many tries.
 */
export function addAuthRoutes(app: Hono<Env>, web: Web, viewers: Sessions): void {
  app.get('/sign-in', (c) => show(c, signInPage('./', { name: '', to: target(c.req.query('to')) }, null), web.redact));

  app.post('/sign-in', async (c) => {
    const [host, origin, fetchSite] = ['host', 'origin', 'sec-fetch-site'].map((name) => c.req.header(name));
    if (!isOwnForm({ host, origin, fetchSite }, web.settings().names.externalUrl)) {
      return sendPlain(c, 403, 'Sign in on Linewatch’s own page.');
    }
    const fields = await readForm(c);
    if (fields === null) return sendTooLarge(c);
    const [name, to] = [(fields.get('name') ?? '').slice(0, 100), target(fields.get('to') ?? undefined)];
    const password = fields.get('password') ?? '';
    const signed = await makeWhileConnected(c, () => viewers.signIn(name, password, toVisit(c)));
    if ('refusal' in signed) return await show(c, signInPage('./', { name, to }, signed.refusal), web.redact, 422);
    c.header('set-cookie', cookieOf(c, web, signed.session));
    return c.body(null, 303, { location: `./${to}` });
  });

  app.post('/sign-out', (c) => {
    viewers.signOut(readSessionCookie(c.req.header('cookie')));
    c.header('set-cookie', `${cookieOf(c, web, '')}; Max-Age=0`);
    return c.body(null, 303, { location: './' });
  });
}

/** A page of ours with its filter. */
const TARGETS =
  /^(|days|report|maintenance|deliveries|silences|alerts\/\d{1,9}|customers\/[\w%.~-]{1,300})(\?[\w%.~+&=*-]{0,500})?$/;

/** Only a page of ours: a foreign address must not be a redirect target. */
function target(to: string | undefined): string {
  return to !== undefined && TARGETS.test(to) && !to.includes('..') ? to : '';
}

function cookieOf(c: WebRequest, web: Web, session: string): string {
  const isSecure =
    web.settings().names.externalUrl?.startsWith('https:') === true || c.req.header('x-forwarded-proto') === 'https';
  return `${SESSION_COOKIE}=${session}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
