/** Source: developer.connectwise.com, PSA REST: service tickets, notes, conditions, JSON Patch; API member keys. */
import { basic, json, unless } from './stand-in.ts';
import { ticketDesk, type Wish } from './ticket-desk.ts';

const [PUBLIC, PRIVATE, CLIENT] = ['hushPubKey12345678', 'hushPrivKey1234567', 'hush0000-aaaa-bbbb-cccc-ddddeeeeffff'];
const ROOT = '/v4_6_release/apis/3.0/service/tickets';

export const connectwise = ticketDesk({
  keys: (url) => ({ url, company: 'acme', public: PUBLIC, private: PRIVATE, client: CLIENT, board: 'Phones' }),
  secrets: [PRIVATE, CLIENT, Buffer.from(`acme+${PUBLIC}:${PRIVATE}`).toString('base64')],
  never: [
    { status: 401, body: { code: 'Unauthorized', message: PRIVATE } },
    { status: 400, body: { code: 'InvalidObject' } },
  ],
  wishOf(request): Wish {
    const signedIn = basic(request) === `acme+${PUBLIC}:${PRIVATE}` && request.headers['clientid'] === CLIENT;
    if (!signedIn) return 'company+public and private key, and the client id';
    const { pathname, searchParams } = new URL(request.path, 'http://x');
    if (request.method === 'GET') {
      const [, key = ''] = /^externalXRef="([\w-]+)"$/.exec(searchParams.get('conditions') ?? '') ?? [];
      return pathname === ROOT && key !== '' ? { does: 'find', key } : 'a condition';
    }
    const body = json(request);
    if (pathname === ROOT) {
      const { summary = '', initialDescription = '', externalXRef = '', board, company } = body;
      const wrong = unless({
        POST: request.method === 'POST',
        'a summary of 100': String(summary).trim() !== '' && [...String(summary)].length <= 100,
        'a reference of 100': String(externalXRef) !== '' && String(externalXRef).length <= 100,
        'a board': (board as { name?: string } | undefined)?.name === 'Phones',
      });
      const customer = (company as { id?: unknown } | undefined)?.id;
      return (
        wrong ?? {
          does: 'open',
          key: String(externalXRef),
          texts: [String(summary), String(initialDescription)],
          customer,
        }
      );
    }
    const [, id = '', notes] = new RegExp(`^${ROOT}/(\\d+)(/notes)?$`).exec(pathname) ?? [];
    if (notes !== undefined && request.method === 'POST') return { does: 'note', id, texts: [String(body['text'])] };
    const patches = body as unknown as { op: string; path: string; value: unknown }[];
    const closes = patches.some(
      ({ op, path, value }) => op === 'replace' && path === 'status' && (value as { name: string }).name === '>Closed',
    );
    const summary = patches.find(({ path }) => path === 'summary')?.value;
    if (request.method !== 'PATCH' || !closes || [...String(summary)].length > 100) return 'a patch of the status';
    return { does: 'close', id, texts: [String(summary)] };
  },
  opened: ({ id }) => ({ status: 201, body: `{"id":${id},"summary":"x"}` }),
  changed: ({ id }) => ({ status: 200, body: `{"id":${id}}` }),
  found: (tickets) => ({ status: 200, body: `[${tickets.map(({ id }) => `{"id":${id}}`).join(',')}]` }),
});
