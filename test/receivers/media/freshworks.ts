/** What Freshdesk and Freshservice share: tickets are described in HTML, and their fields are checked one by one. */
import { basic, json, liveInHtml, liveInText, unless, type Reply } from './stand-in.ts';
import { ticketDesk, type Desk, type Ticket, type Wish } from './ticket-desk.ts';

const TOKEN = 'hushGk5RwZ8yXt2VbN';

interface Product {
  /** Of the key. */
  field: string;
  search: string;
  customer: string;
  opened: (ticket: Ticket) => Reply;
  found: (tickets: readonly Ticket[]) => Reply;
}

export function freshworks({ field, search, customer, opened, found }: Product): Desk {
  const allowed = new Set([
    'subject',
    'description',
    'email',
    'priority',
    'status',
    'source',
    customer,
    'custom_fields',
  ]);
  const wishOf: Parameters<typeof ticketDesk>[0]['wishOf'] = (request): Wish => {
    if (basic(request) !== `${TOKEN}:X`) return 'the API key with a password of X';
    const { pathname, searchParams } = new URL(request.path, 'http://x');
    if (request.method === 'GET') {
      const [, named, key = ''] = /^"(\w+):'([\w-]+)'"$/.exec(searchParams.get('query') ?? '') ?? [];
      return pathname === search && named === field && key !== '' ? { does: 'find', key } : 'a query in quotes';
    }
    const body = json(request);
    const { subject, description = '', email, priority, status, custom_fields: fields } = body;
    if (pathname === '/api/v2/tickets') {
      const key = String((fields as Record<string, unknown> | undefined)?.[field] ?? '');
      const wrong = unless({
        POST: request.method === 'POST',
        'fields that there are': Object.keys(body).every((name) => allowed.has(name)),
        'a subject of 255': String(subject).trim() !== '' && String(subject).length <= 255,
        'a description': String(description).trim() !== '',
        'a requester': email === 'linewatch@example.test',
        'a priority from 1 to 4': [1, 2, 3, 4].includes(Number(priority)) && typeof priority === 'number',
        'an open status': status === 2,
        'a key': key !== '',
      });
      return wrong ?? { does: 'open', key, texts: [String(subject), String(description)], customer: body[customer] };
    }
    const [, noted] = /^\/api\/v2\/tickets\/(\d+)\/notes$/.exec(pathname) ?? [];
    if (noted !== undefined) {
      return request.method === 'POST' && body['private'] === true && String(body['body']).trim() !== ''
        ? { does: 'note', id: noted, texts: [String(body['body'])] }
        : 'a note that customers do not see';
    }
    const [, id = ''] = /^\/api\/v2\/tickets\/(\d+)$/.exec(pathname) ?? [];
    if (request.method !== 'PUT' || (status !== 2 && status !== 4) || String(subject).length > 255) return 'a change';
    return { does: status === 4 ? 'close' : 'reopen', id, texts: [String(subject)] };
  };
  const desk = ticketDesk({
    keys: (url) => ({ url, token: TOKEN, requester: 'linewatch@example.test' }),
    secrets: [TOKEN, Buffer.from(`${TOKEN}:X`).toString('base64')],
    never: [
      { status: 401, body: { code: 'invalid_credentials', message: `no ${TOKEN}` } },
      { status: 400, body: { description: 'Validation failed', errors: [] } },
    ],
    wishOf,
    opened,
    changed: ({ id }) => ({ status: 200, body: `{"id":${id}}` }),
    found,
  });
  return {
    ...desk,
    live(request) {
      const wish = wishOf(request);
      if (typeof wish !== 'object' || !('texts' in wish)) return [];
      // A subject is plain text.
      const [subject = '', ...texts] = wish.does === 'note' ? ['', ...wish.texts] : wish.texts;
      return [...liveInText(subject), ...texts.flatMap(liveInHtml)];
    },
  };
}
