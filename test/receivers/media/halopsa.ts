/** Source: HaloPSA's API documentation: authentication by client credentials, /tickets, /actions. */
import type { Received } from '../http-peer.ts';
import { answerTaken, form, unless, type Reply } from './stand-in.ts';
import { ticketDesk, type Desk, type Wish } from './ticket-desk.ts';

const [SECRET, TOKEN] = ['hush-c0ffee-4711-halo', 'hush-token-halo-0815'];

function isSignIn({ path, method }: Received): boolean {
  return path === '/auth/token' && method === 'POST';
}

function wishOf(request: Received): Wish {
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return 'a token';
  const { pathname, searchParams } = new URL(request.path, 'http://x');
  if (request.method === 'GET') {
    const key = searchParams.get('search') ?? '';
    return pathname === '/api/tickets' && key !== '' ? { does: 'find', key } : 'a search';
  }
  const rows = JSON.parse(request.body) as Record<string, unknown>[];
  const [row = {}] = rows;
  if (request.method !== 'POST' || rows.length !== 1) return 'a list of one';
  if (pathname === '/api/tickets') {
    const [, key = ''] = /\n(linewatch-[\w-]+)$/.exec(String(row['details'])) ?? [];
    return (
      unless({
        'a summary of 255': String(row['summary']).trim() !== '' && String(row['summary']).length <= 255,
        'details with a key': key !== '',
        'a type': row['tickettype_id'] === 4,
      }) ?? {
        does: 'open',
        key,
        texts: [String(row['summary']), String(row['details'])],
        customer: row['client_id'],
      }
    );
  }
  const { ticket_id: id, outcome_id: outcome, note, new_status: status } = row;
  if (pathname !== '/api/actions' || outcome !== 7 || String(note).trim() === '') return 'an action';
  const does = status === undefined ? 'note' : status === 9 ? 'close' : 'reopen';
  return { does, id: String(id), texts: [String(note)] };
}

const desk = ticketDesk({
  keys: (url) => ({ url, client: 'c1d2', secret: SECRET, type_id: '4' }),
  secrets: [SECRET, TOKEN],
  never: [
    { status: 403, body: `no ${TOKEN}` },
    { status: 400, body: { message: 'invalid' } },
  ],
  wishOf,
  opened: ({ id }) => ({ status: 201, body: `{"id":${id}}` }),
  changed: ({ id }) => ({ status: 201, body: `{"id":${id}}` }),
  found: (tickets) => ({
    status: 200,
    body: `{"record_count":${tickets.length},"tickets":[${tickets.map(({ id }) => `{"id":${id}}`).join(',')}]}`,
  }),
});

export const halopsa: Desk = {
  ...desk,
  isSignIn,
  refuses: (request) => (isSignIn(request) ? refusesToSignIn(request) : desk.refuses(request)),
  taken: (request): Reply => {
    if (isSignIn(request)) return { status: 200, body: { access_token: TOKEN, expires_in: 3600 } };
    return answerTaken(desk, request);
  },
};

function refusesToSignIn(request: Received): string | null {
  const { grant_type: grant, client_id: client, client_secret: secret, scope } = form(request);
  const isKnown = grant === 'client_credentials' && client === 'c1d2' && secret === SECRET && scope === 'all';
  return isKnown ? null : 'the client id and secret';
}
