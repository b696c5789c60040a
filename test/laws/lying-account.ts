/**
 * An account interface that lies of its sizes: it stands between the daemon and the honest provider, and what it says
 * of how much there is, was sent or is still to come need not be so. It never says that a lost phone is registered.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '../../src/core/observation/limits.ts';

export const PARTS = ['registrations', 'extensions', 'action-toggles'] as const;

/** Counts as they should not be. */
const COUNTS = [-1, 0, 1, 1e9, 1.5, 'many', null, [], '2'];

/** Where the rest is said to be; `self` is the address that was asked, `on` always one page more. */
const NEXT = ['self', 'on', '/api/v1/nowhere?page=2', 'https://elsewhere.example.test/api/v1/extensions', '', 2, {}];

export interface Lie {
  name: string;
  body?: (body: unknown, asked: Asked) => unknown;
  headers?: (length: number, asked: Asked) => [string, string][];
}

interface Asked {
  url: URL;
  origin: string;
  /** Counts the requests: what is invented is another thing each time. */
  turn: number;
}

export const LIES: readonly Lie[] = [
  ...COUNTS.flatMap((count): Lie[] => [
    { name: `wrapped, with a count of ${JSON.stringify(count)}`, body: (body) => wrapped(body, count, null) },
    { name: `a count of ${JSON.stringify(count)} among the rows`, body: (body) => among(body, count) },
  ]),
  ...NEXT.flatMap((next): Lie[] => [
    { name: `wrapped, with more at ${String(next)}`, body: (body, asked) => wrapped(body, 25, target(next, asked)) },
    {
      name: `more at ${String(next)} by the head`,
      headers: (_, asked) => [['link', `<${String(target(next, asked))}>; rel="next"`]],
    },
  ]),
  ...['-1', '1000000000', 'many'].map((count): Lie => ({
    name: `a head that counts ${count}`,
    headers: () => [
      ['x-total-count', count],
      ['x-per-page', count],
    ],
  })),
  ...[0, 0.3, 0.9].map((share): Lie => ({ name: `${share} of the rows`, body: (body) => some(body, share) })),
  ...[1, 40, 3_000, LIMITS.extensions + 1].map((count): Lie => ({
    name: `${count} rows more`,
    body: (body, { turn }) => more(body, count, turn),
  })),
  { name: 'every row twice', body: twice },
  { name: 'a page that repeats its first row', body: (body) => repeated(body, 400) },
  { name: 'longer than it says', headers: (length) => [['content-length', String(Math.floor(length / 2))]] },
  { name: 'shorter than it says', headers: (length) => [['content-length', String(length + 1_000)]] },
  { name: 'no length at all', headers: () => [['content-length', 'many']] },
  { name: 'a length below nothing', headers: () => [['content-length', '-1']] },
  {
    name: 'two lengths',
    headers: (length) => [
      ['content-length', String(length)],
      ['content-length', '7'],
    ],
  },
  { name: 'the length of a thousand answers', headers: () => [['content-length', '1000000000']] },
];

/** As frameworks send a page of a collection. */
function wrapped(body: unknown, count: unknown, next: unknown): unknown {
  const meta = { count, total: count, total_count: count, per_page: count, current_page: 1, next_page: next };
  return { data: body, count, meta, links: { next } };
}

/** Beside the rows, where the keys of a map are extensions and the entries of a list are rows. */
function among(body: unknown, count: unknown): unknown {
  const said = { count, total_count: count, next_page: 'self' };
  return Array.isArray(body) ? [...(body as unknown[]), said] : { ...(body as object), meta: said, count };
}

function target(next: unknown, { url, origin }: Asked): unknown {
  if (next !== 'self' && next !== 'on') return next;
  const page = Number(url.searchParams.get('page') ?? 1) + (next === 'on' ? 1 : 0);
  return `${origin}${url.pathname}?page=${page}`;
}

function some(body: unknown, share: number): unknown {
  if (Array.isArray(body)) return (body as unknown[]).slice(0, Math.floor(body.length * share));
  const rows = Object.entries(body as object);
  return Object.fromEntries(rows.slice(0, Math.floor(rows.length * share)));
}

/** Rows like the first, of things that nobody has. */
function more(body: unknown, count: number, turn: number): unknown {
  const rows = Array.isArray(body) ? (body as unknown[]) : Object.values(body as object).flat();
  const [first] = rows as Record<string, unknown>[];
  const made = Array.from({ length: count }, (_, index) => {
    const id = 1_000_000 + turn * (LIMITS.extensions + 1) + index;
    return { ...first, id, user_id: String(id) };
  });
  if (Array.isArray(body)) return [...(body as unknown[]), ...made];
  return { ...(body as object), ...Object.fromEntries(made.map((row) => [row.user_id, [row]])) };
}

function twice(body: unknown): unknown {
  if (Array.isArray(body)) return [...(body as unknown[]), ...(body as unknown[])];
  const rows = Object.entries(body as Record<string, unknown[]>);
  return Object.fromEntries(rows.map(([key, contacts]) => [key, [contacts, contacts].flat()]));
}

function repeated(body: unknown, times: number): unknown {
  if (Array.isArray(body)) {
    const [first] = body as unknown[];
    return [...(body as unknown[]), ...(first === undefined ? [] : Array.from({ length: times }, () => first))];
  }
  const [first] = Object.entries(body as Record<string, unknown[]>);
  if (first === undefined) return body;
  const [key, contacts] = first;
  return { ...(body as object), [key]: Array.from({ length: times }, () => contacts).flat() };
}

export interface LyingAccount {
  /** Where it answers in the place of this honest account, which it asks for every answer. */
  before(honestUrl: string): string;
  /** What it says from now on of each part; null for the truth. */
  tell(lies: Partial<Record<(typeof PARTS)[number], Lie | null>>): void;
  /** Requests since this was last asked. */
  asked(): number;
  close(): Promise<void>;
}

export async function lyingAccount(): Promise<LyingAccount> {
  let honest = new URL('http://127.0.0.1');
  let told: Parameters<LyingAccount['tell']>[0] = {};
  let [asked, turn] = [0, 0];

  async function answer(path: string, authorization: string, response: ServerResponse): Promise<void> {
    asked += 1;
    turn += 1;
    const url = new URL(path, honest);
    const truth = await fetch(url, { headers: { authorization, accept: 'application/json' } });
    const part = PARTS.find((each) => url.pathname.endsWith(`/${each}`));
    const lie = part === undefined ? null : (told[part] ?? null);
    const about = { url, origin: honest.origin, turn };
    const text = await truth.text();
    const body = lie?.body === undefined || !truth.ok ? text : JSON.stringify(lie.body(JSON.parse(text), about));
    const length = Buffer.byteLength(body);
    const said = lie?.headers?.(length, about) ?? [];
    const lengths = said.some(([name]) => name === 'content-length') ? [] : [['content-length', String(length)]];
    const head = [['content-type', 'application/json'], ['connection', 'close'], ...lengths, ...said];
    // By hand: a server of Node.js would see to it that the length is right.
    const lines = [`HTTP/1.1 ${truth.status} -`, ...head.map(([name, value]) => `${name}: ${value}`), '', body];
    response.socket?.end(lines.join('\r\n'));
  }

  const server = createServer((request, response) => {
    answer(request.url ?? '/', request.headers.authorization ?? '', response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    before(honestUrl) {
      honest = new URL(honestUrl);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}${honest.pathname}`;
    },
    tell(lies) {
      told = lies;
    },
    asked() {
      const count = asked;
      asked = 0;
      return count;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
