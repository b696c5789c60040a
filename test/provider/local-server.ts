/** A real server on a port the system chooses, answering from a function and noting when each request arrived. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  at: number;
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Respond = (arrival: Arrival, response: ServerResponse, index: number) => void;

export interface LocalServer {
  base: string;
  arrivals: Arrival[];
  respond: Respond;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function serve(respond: Respond): Promise<LocalServer> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const arrival = {
      at: performance.now(),
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: '',
    };
    arrivals.push(arrival);
    const index = arrivals.length - 1;
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      arrival.body += chunk;
    });
    request.on('end', () => local.respond(arrival, response, index));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
  const local: LocalServer = {
    base: `http://127.0.0.1:${port}`,
    arrivals,
    respond,
    close,
    [Symbol.asyncDispose]: close,
  };
  return local;
}

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(value));
}

/** A component as the specification has it. */
export function componentRow(id: number, extra: Record<string, unknown> = {}): Record<string, unknown> {
  const time = '2026-01-01T00:00:00.000Z';
  return {
    id,
    state: 'operational',
    name: `Component ${id}`,
    description: '',
    parent_id: null,
    created_at: time,
    updated_at: time,
    ...extra,
  };
}

/** A notice of the list as the specification has it. */
export function noticeRow(id: number, extra: Record<string, unknown> = {}): Record<string, unknown> {
  const time = '2026-01-01T00:00:00.000Z';
  const update = { state: 'investigating', content: 'Looking into it.', created_at: time, updated_at: time };
  return {
    id,
    type: 'unplanned',
    timeline_state: 'present',
    state: 'investigating',
    subject: `Trouble ${id}`,
    url: `https://status.example.com/notices/${id}`,
    began_at: time,
    ended_at: null,
    created_at: time,
    updated_at: time,
    links: { self: `/api/notices/${id}` },
    latest_update: update,
    ...extra,
  };
}

/** The pages of a collection, 25 rows each, with the links between them. */
export function pagesOf(key: string, path: string, rows: unknown[], page: number, size = 25): Record<string, unknown> {
  const slice = rows.slice((page - 1) * size, page * size);
  const next = page * size < rows.length ? `${path}?page=${page + 1}` : null;
  return { [key]: slice, meta: { count: slice.length, total_count: rows.length, next_page: next } };
}
