/**
 * Serves the web room on a port, with limits: a slow or hostile client costs little, delays no stop, and blocks no
 * other client.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { closeServer } from '../net/close-server.ts';
import { readErrorCode, ForeseenError } from '../net/failure.ts';
import { createRenderQueue } from './render-queue.ts';

const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};
/**
 * Enough for some pages and scrapers. Above this number the client with the oldest request is closed: a probe sends and
 * gets its answer at once, so that only slow clients are the oldest.
 */
const MOST_CONNECTIONS = 100;
/** Requests on one connection without waiting for an answer; no browser sends two. */
const MOST_AT_ONCE = 100;

export interface Address {
  host: string;
  port: number;
}

export type WebServer = Awaited<ReturnType<typeof serveWeb>>;

/** It cannot listen there; the message has the reason and a remedy. */
export class PlaceRefused extends ForeseenError {
  override readonly name = 'PlaceRefused';
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has this port',
  EACCES: 'this user may not take this port; ports below 1024 need a privilege',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this name is not known',
};

/** Answers one request. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Rejects with `PlaceRefused`. */
export async function serveWeb(answer: Listener, place: Address, failed: (error: unknown) => void) {
  const inTurn = takingTurns(answer);
  const server = createServer(LIMITS, (incoming, outgoing) => void inTurn(incoming, outgoing).catch(failed));
  keepRoom(server);
  // A client that stops reading in the middle of a response is closed.
  server.timeout = LIMITS.requestTimeout;
  try {
    server.listen(place.port, place.host);
    await once(server, 'listening');
  } catch (error) {
    const code = readErrorCode(error) ?? 'unknown';
    const why = REASONS[code] ?? `the system refused it (${code})`;
    throw new PlaceRefused(
      `The page cannot listen on ${nameOf(place)}: ${why}. Choose another place with http.listen, or off for none.`,
      { cause: error },
    );
  }
  // A connection that could not be accepted, for example without file descriptors, must not end the daemon.
  server.on('error', failed);
  const { address, port } = server.address() as AddressInfo;
  return {
    /** Its address, without a slash at the end; with the port chosen by the system if 0 was configured. */
    url: `http://${nameOf({ host: address, port })}`,
    port,
    /** Accepts no more connections, lets running responses finish for at most `graceMs`, then cuts them. */
    close: (graceMs: number) => closeServer(server, graceMs),
  };
}

/**
 * One request of each connection waits in the queue, so that a client that sends many at once waits longer than others.
 */
function takingTurns(answer: Listener): Listener {
  const turns = createRenderQueue();
  const lines = new WeakMap<Socket, { last: Promise<void>; waiting: number }>();

  async function takeTurn(socket: Socket): Promise<void> {
    const line = lines.get(socket) ?? { last: Promise.resolve(), waiting: 0 };
    lines.set(socket, line);
    line.waiting += 1;
    if (line.waiting > MOST_AT_ONCE) socket.destroy();
    // A client that waits for us is not idle.
    socket.setTimeout(0);
    line.last = line.last.then(() => (socket.destroyed ? undefined : turns.take()));
    await line.last;
    line.waiting -= 1;
    if (line.waiting === 0) socket.setTimeout(LIMITS.requestTimeout);
  }

  return async (incoming, outgoing) => {
    // The liveness probe is answered at once, as it costs nothing.
    if (incoming.url !== '/healthz') await takeTurn(incoming.socket);
    if (!outgoing.destroyed) await answer(incoming, outgoing);
  };
}

function keepRoom(server: Server): void {
  /** In the order of their last request, or of their connection. */
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    const [eldest] = open;
    if (open.size >= MOST_CONNECTIONS) eldest?.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket, url = '' }, response) => {
    if (!open.delete(socket)) return;
    // A stream sends one request and stays: streams have a limit of their own.
    if (!url.startsWith('/events')) open.add(socket);
    else response.once('close', () => (socket.destroyed ? undefined : open.add(socket)));
  });
}

function nameOf({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
