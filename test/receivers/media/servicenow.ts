/** Source: docs.servicenow.com, Table API; Incident: states, correlation, what resolving asks for. */
import { basic, json, unless } from './stand-in.ts';
import { ticketDesk, type Wish } from './ticket-desk.ts';

const PASSWORD = 'hush-Sn0w-4711';
const TABLE = '/api/now/table/incident';

export const servicenow = ticketDesk({
  keys: (url) => ({ url, user: 'linewatch', password: PASSWORD }),
  secrets: [PASSWORD, Buffer.from(`linewatch:${PASSWORD}`).toString('base64')],
  never: [{ status: 401, body: { error: { message: `User Not Authenticated ${PASSWORD}` } } }, { status: 403 }],
  wishOf(request): Wish {
    if (basic(request) !== `linewatch:${PASSWORD}`) return 'user and password';
    if (request.headers.accept !== 'application/json') return 'JSON, not XML';
    const { pathname, searchParams } = new URL(request.path, 'http://x');
    if (request.method === 'GET') {
      const [, key = ''] =
        /^correlation_id=([\w-]+)\^ORDERBYDESCsys_created_on$/.exec(searchParams.get('sysparm_query') ?? '') ?? [];
      return pathname === TABLE && key !== '' && searchParams.get('sysparm_limit') === '1'
        ? { does: 'find', key }
        : 'a query';
    }
    const body = json(request);
    if (pathname === TABLE) {
      const {
        short_description: title = '',
        description = '',
        correlation_id: key = '',
        urgency,
        impact,
        company,
      } = body;
      const wrong = unless({
        POST: request.method === 'POST',
        'a short description of 160': String(title).trim() !== '' && [...String(title)].length <= 160,
        'a description of 4,000': [...String(description)].length <= 4000,
        'a correlation id of 100': /^[\w-]{1,100}$/.test(String(key)),
        'urgency and impact': [1, 2, 3].includes(Number(urgency)) && urgency === impact,
      });
      return (
        wrong ?? { does: 'open', key: String(key), texts: [String(title), String(description)], customer: company }
      );
    }
    const [, id = ''] = new RegExp(`^${TABLE}/(\\d+)$`).exec(pathname) ?? [];
    const { state, close_code: code, close_notes: end, work_notes: note } = body;
    if (request.method !== 'PATCH') return 'PATCH';
    if (state === 6) {
      return code !== undefined && [...String(end)].length <= 4000
        ? { does: 'close', id, texts: [String(end)] }
        : 'how and why it was resolved';
    }
    return { does: state === 2 ? 'reopen' : 'note', id, texts: [String(note)] };
  },
  opened: ({ id }) => ({ status: 201, body: { result: { sys_id: id, number: 'INC0010001' } } }),
  changed: ({ id }) => ({ status: 200, body: { result: { sys_id: id } } }),
  found: (tickets) => ({ status: 200, body: { result: tickets.slice(0, 1).map(({ id }) => ({ sys_id: id })) } }),
});
