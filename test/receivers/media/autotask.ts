/** Source: autotask.net/help, REST API: security and authentication, Tickets entity, TicketNotes entity, basic query calls. */
import { json, unless } from './stand-in.ts';
import { ticketDesk, type Wish } from './ticket-desk.ts';

const [CODE, PASSWORD] = ['HUSHCODE4711ABCDEFGHIJKL', 'hush-7Gd#5mRx'];
const BASE = '/ATServicesRest/V1.0/Tickets';

interface Filter {
  op: string;
  field: string;
  value: unknown;
}

export const autotask = ticketDesk({
  keys: (url) => ({ url, code: CODE, user: 'api@example.test', password: PASSWORD }),
  secrets: [CODE, PASSWORD],
  never: [{ status: 401, body: `no ${PASSWORD}` }, { status: 404 }],
  findsOpenOnly: true,
  wishOf(request): Wish {
    const { apiintegrationcode: code, username, secret } = request.headers;
    if (code !== CODE || username !== 'api@example.test' || secret !== PASSWORD) return 'code, user and secret';
    const body = json(request);
    if (request.path === `${BASE}/query`) {
      const [one, other] = (body['filter'] ?? []) as Filter[];
      const isQuery = request.method === 'POST' && one?.op === 'eq' && one.field === 'externalID';
      const isOpen = other?.op === 'noteq' && other.field === 'status' && other.value === 5;
      return isQuery && isOpen && body['MaxRecords'] === 1 ? { does: 'find', key: String(one.value) } : 'a query';
    }
    const { id, title = '', description = '', externalID: key = '', priority, status, resolution } = body;
    if (request.path === BASE && request.method === 'POST') {
      const wrong = unless({
        'a title of 255': String(title).trim() !== '' && String(title).length <= 255,
        'a description of 8,000': String(description).length <= 8000,
        'an external id of 50': /^[\w-]{1,50}$/.test(String(key)),
        'status and priority': typeof priority === 'number' && status === 1,
      });
      return (
        wrong ?? {
          does: 'open',
          key: String(key),
          texts: [String(title), String(description)],
          customer: body['companyID'],
        }
      );
    }
    const [, noted] = new RegExp(`^${BASE}/(\\d+)/Notes$`).exec(request.path) ?? [];
    if (noted !== undefined) {
      return (
        unless({
          'a title of 250': String(title).trim() !== '' && String(title).length <= 250,
          'a text': String(description).trim() !== '' && String(description).length <= 32_000,
          'its type, and for whom': body['noteType'] === 1 && body['publish'] === 2,
        }) ?? { does: 'note', id: noted, texts: [String(title), String(description)] }
      );
    }
    if (request.path !== BASE || request.method !== 'PATCH') return 'a change';
    return status === 5
      ? { does: 'close', id: String(id), texts: [String(resolution)] }
      : { does: 'reopen', id: String(id), texts: [String(description)] };
  },
  opened: ({ id }) => ({ status: 200, body: `{"itemId":${id}}` }),
  changed: ({ id }) => ({ status: 200, body: `{"itemId":${id}}` }),
  found: (tickets) => ({
    status: 200,
    body: `{"items":[${tickets
      .slice(0, 1)
      .map(({ id }) => `{"id":${id}}`)
      .join(',')}],"pageDetails":{}}`,
  }),
});
