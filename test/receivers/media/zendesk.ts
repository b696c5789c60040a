/** Source: developer.zendesk.com, Tickets (create, update, list by external id), "Security and authentication". */
import { basic, json, unless } from './stand-in.ts';
import { ticketDesk, type Wish } from './ticket-desk.ts';

const TOKEN = 'hush6wiIBWbGkBMo1mRDMuVwkw1EPsNkeUj95PIz';

interface Body {
  subject?: string;
  comment?: { body?: string; public?: boolean };
  external_id?: string;
  priority?: string;
  type?: string;
  status?: string;
  organization_id?: unknown;
}

export const zendesk = ticketDesk({
  keys: (url) => ({ url, user: 'ops@example.test', token: TOKEN }),
  secrets: [TOKEN, Buffer.from(`ops@example.test/token:${TOKEN}`).toString('base64')],
  never: [
    { status: 401, body: { error: `Couldn't authenticate you ${TOKEN}` } },
    { status: 422, body: { error: 'RecordInvalid' } },
  ],
  wishOf(request): Wish {
    if (basic(request) !== `ops@example.test/token:${TOKEN}`) return 'user/token and token';
    const { pathname, searchParams } = new URL(request.path, 'http://x');
    if (request.method === 'GET') {
      const key = searchParams.get('external_id') ?? '';
      return pathname === '/api/v2/tickets.json' && key !== '' ? { does: 'find', key } : 'an external id';
    }
    const { ticket = {} } = json(request) as { ticket?: Body };
    const text = ticket.comment?.body ?? '';
    if (text.trim() === '' || ticket.comment?.public !== false) return 'a comment that customers do not see';
    if (pathname === '/api/v2/tickets.json') {
      const wrong = unless({
        POST: request.method === 'POST' && request.headers['idempotency-key'] !== undefined,
        'a subject': (ticket.subject ?? '').trim() !== '' && (ticket.subject ?? '').length <= 255,
        'a priority': ['urgent', 'high', 'normal', 'low'].includes(ticket.priority ?? ''),
        'a type': ticket.type === 'incident',
      });
      return (
        wrong ?? {
          does: 'open',
          key: ticket.external_id ?? '',
          texts: [ticket.subject ?? '', text],
          customer: ticket.organization_id,
        }
      );
    }
    const [, id = ''] = /^\/api\/v2\/tickets\/(\d+)\.json$/.exec(pathname) ?? [];
    if (request.method !== 'PUT') return 'PUT';
    const does = ticket.status === 'solved' ? 'close' : ticket.status === 'open' ? 'reopen' : 'note';
    return { does, id, texts: [text] };
  },
  opened: ({ id }) => ({ status: 201, body: `{"ticket":{"id":${id}},"audit":{}}` }),
  changed: ({ id }) => ({ status: 200, body: `{"ticket":{"id":${id}}}` }),
  found: (tickets) => ({
    status: 200,
    body: `{"tickets":[${tickets.map(({ id }) => `{"id":${id}}`).join(',')}],"count":${tickets.length}}`,
  }),
});
