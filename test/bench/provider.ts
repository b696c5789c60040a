/**
 * A provider that costs nothing: pages and accounts of any size, their answers made once and sent as bytes, so that
 * what is measured is the one who asks. `/page-N` is a status page of N components, `/account-N-I` an account of N phones.
 * `/counting-N-I` is the same account where the list of phones states the time left of each, so that it differs with
 * each second, as at a registrar.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallReports } from './call-reports.ts';
import { createBenchAccount, type BenchAccount } from './phones.ts';

const COMPONENTS_A_PAGE = 25;
const REGISTRATIONS = '/api/v1/pbx/registrations';
const THEN = '2026-01-01T00:00:00.000Z';

export interface Asked {
  path: string;
  /** On the clock of `performance.now()`. */
  at: number;
}

export interface BenchProvider extends AsyncDisposable {
  url: string;
  asked: Asked[];
  /** The first request whose path holds the text, from now on. */
  next(part: string): Promise<Asked>;
  /** Degrades this many components of every page from now on. */
  degrade(count: number): void;
  /** A new notice is open from now on, about the first so many components; the one before is resolved. Returns its id. */
  openNotice(components: number): number;
  /** Removes this many phones of every account from now on. */
  lose(phones: number): void;
}

/** `reports`: answers about calls of accounts, made for each request. */
export async function startBenchProvider(reports: CallReports | null = null): Promise<BenchProvider> {
  const asked: Asked[] = [];
  const waiting = new Set<{ part: string; resolve: (asked: Asked) => void }>();
  const bodies = new Map<string, Buffer | null>();
  const accounts = new Map<string, BenchAccount>();
  let [degraded, lost] = [0, 0];
  let [noticeId, hit, noticedAt, changedAt] = [0, 0, THEN, THEN];

  function make(path: string): Buffer | null {
    const [, kind, size, index, rest] = /^\/(page|account|counting)-(\d+)(?:-(\d+))?(\/.*)$/.exec(path) ?? [];
    if (kind === undefined || rest === undefined) return null;
    const account = (): BenchAccount =>
      // Ten thousand worlds would not fit into memory, and answers that stay the same are kept as bytes.
      kind === 'counting' ? accountOf(Number(size), Number(index)) : createBenchAccount(Number(size), Number(index));
    const value = kind === 'page' ? pageAnswer(Number(size), rest) : accountAnswer(account, rest, kind === 'counting');
    return value === null ? null : Buffer.from(JSON.stringify(value));
  }

  function answerOfCalls(path: string): Buffer | null {
    const [, account, rest] = /^\/account-\d+-(\d+)(\/.*)$/.exec(path) ?? [];
    const value = reports === null || rest === undefined ? null : reports.answer(Number(account), rest);
    return value === null ? null : Buffer.from(JSON.stringify(value));
  }

  function component(id: number): object {
    const state = id <= degraded ? 'degraded' : 'operational';
    const updated = id <= degraded ? changedAt : THEN;
    const description = `What component ${id} is there for`;
    return { id, state, name: `Component ${id}`, description, parent_id: null, created_at: THEN, updated_at: updated };
  }

  function components(ids: readonly number[]): object[] {
    return ids.map(component);
  }

  function notice(id: number): object {
    const now = noticedAt;
    const isOver = id < noticeId;
    const state = isOver ? 'resolved' : 'investigating';
    const update = { state, content: 'We are looking into it.', created_at: now, updated_at: now };
    const base = {
      id,
      type: 'unplanned',
      timeline_state: isOver ? 'past_recent' : 'present',
      state,
      subject: 'No audio',
    };
    const times = { began_at: now, ended_at: isOver ? now : null, created_at: now, updated_at: now };
    const links = { self: `/api/v1/notices/${id}` };
    return { ...base, ...times, url: `https://status.example.test/${id}`, links, latest_update: update };
  }

  function pageAnswer(count: number, rest: string): object | null {
    const url = new URL(rest, 'http://bench.test');
    const open = noticeId === 0 ? [] : [notice(noticeId)];
    switch (url.pathname) {
      case '/api/v1/status': {
        const links = {
          components: { href: '/api/v1/components', count },
          notices: { href: '/api/v1/notices', count: open.length },
        };
        const state = degraded > 0 ? 'degraded' : 'operational';
        return {
          page: { name: 'Bench', state, url: 'https://status.example.test', links, created_at: THEN, updated_at: THEN },
        };
      }
      case '/api/v1/components': {
        const page = Number(url.searchParams.get('page') ?? 1);
        const first = (page - 1) * COMPONENTS_A_PAGE + 1;
        const ids = Array.from(
          { length: Math.max(0, Math.min(COMPONENTS_A_PAGE, count - first + 1)) },
          (_, index) => first + index,
        );
        const next = first + COMPONENTS_A_PAGE <= count ? `/api/v1/components?page=${page + 1}` : '';
        return { components: components(ids), meta: { count: ids.length, total_count: count, next_page: next } };
      }
      case '/api/v1/notices': {
        const rows = url.searchParams.get('filter[timeline_state_eq]') === 'present' ? open : [];
        return { notices: rows, meta: { count: rows.length, total_count: rows.length, next_page: '' } };
      }
      default:
        return detail(/^\/api\/v1\/notices\/(\d+)$/.exec(url.pathname)?.[1]);
    }
  }

  function detail(id: string | undefined): object | null {
    if (id === undefined) return null;
    const ids = Array.from({ length: hit }, (_, index) => index + 1);
    return { notice: { ...notice(Number(id)), components: components(ids), updates: [] } };
  }

  function accountOf(phones: number, index: number): BenchAccount {
    const known = accounts.get(`${phones} ${index}`) ?? createBenchAccount(phones, index);
    accounts.set(`${phones} ${index}`, known);
    return known;
  }

  function accountAnswer(account: () => BenchAccount, rest: string, countsDown: boolean): object | null {
    if (rest === '/api/v1/pbx/action-toggles') return [{ id: 1, name: 'Night', status: false }];
    if (rest === '/api/v1/pbx/extensions') return account().extensions();
    if (rest !== REGISTRATIONS) return null;
    return Object.fromEntries(account().registrations(countsDown).slice(lost));
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '');
    const one = { path, at: performance.now() };
    asked.push(one);
    for (const wanted of waiting) {
      if (!path.includes(wanted.part)) continue;
      waiting.delete(wanted);
      wanted.resolve(one);
    }
    const called = answerOfCalls(path);
    const isAnother = path.startsWith('/counting-') && path.endsWith(REGISTRATIONS);
    if (called === null && !isAnother && !bodies.has(path)) bodies.set(path, make(path));
    const body = called ?? (isAnother ? make(path) : bodies.get(path));
    if (body === null || body === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.byteLength }).end(body);
  }

  const server = createServer(respond);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const change = (apply: () => void): void => {
    apply();
    bodies.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    next: (part) => new Promise((resolve) => void waiting.add({ part, resolve })),
    degrade(count) {
      change(() => {
        degraded = count;
        changedAt = new Date().toISOString();
      });
    },
    openNotice(count) {
      change(() => {
        noticeId += 1;
        hit = count;
        noticedAt = new Date().toISOString();
      });
      return noticeId;
    },
    lose: (count) => change(() => void (lost = count)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
