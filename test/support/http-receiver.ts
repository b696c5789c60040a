/** A real HTTP server in place of Slack, or of a program behind a webhook. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { waitingRoom } from './waiting-room.ts';

export interface Posted {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Reaction of the server to a request; `hang` never answers. */
export type Reaction = { status: number; body?: string; headers?: Record<string, string> } | 'hang' | 'reset';

export interface HttpReceiver extends AsyncDisposable {
  url: string;
  /** Everything that arrived, also what was refused. */
  arrived: Posted[];
  /** Requests that were answered with 2xx. */
  taken: Posted[];
  /** From now on. Default: 200 `ok`. */
  react: (reaction: Reaction | ((posted: Posted) => Reaction)) => void;
  /** Resolves with the first request, arrived already or yet to come, of which this holds. */
  gets: (what: string, matches: (posted: Posted) => boolean) => Promise<Posted>;
  /** Resolves with everything taken once it is this many. */
  takes: (count: number) => Promise<Posted[]>;
}

export async function startHttpReceiver(): Promise<HttpReceiver> {
  const arrived: Posted[] = [];
  const taken: Posted[] = [];
  const room = waitingRoom();
  let reaction: (posted: Posted) => Reaction = () => ({ status: 200, body: 'ok' });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const posted = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    arrived.push(posted);
    const chosen = reaction(posted);
    if (chosen === 'reset') request.socket.resetAndDestroy();
    else if (chosen !== 'hang') {
      if (chosen.status < 300) taken.push(posted);
      response.writeHead(chosen.status, chosen.headers).end(chosen.body ?? '');
    }
    room.look();
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    taken,
    react(next) {
      reaction = typeof next === 'function' ? next : () => next;
    },
    gets: (what, matches) => room.until(what, () => arrived.find(matches)),
    takes: (count) => room.until(`${count} posts`, () => (taken.length >= count ? taken : undefined)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        room.close('the server was closed');
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Reserves a port and releases it: connections to it are refused. */
export async function closedPort(): Promise<number> {
  const server = await startHttpReceiver();
  await server[Symbol.asyncDispose]();
  return Number(new URL(server.url).port);
}
