/** Server of the control socket. */
import { once } from 'node:events';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  toControlPath,
  ControlRefusal,
  FAILURE_STATUS,
  LARGEST_ASK,
  shortenSocketPath,
  type ControlContract,
  type ControlFailure,
  type ControlFailureCode,
  type ControlRoutes,
} from './protocol.ts';
import { closeServer } from '../net/close-server.ts';
import { ForeseenError, readErrorCode } from '../net/failure.ts';

/** Commands send their question at once; slower clients are disconnected. */
const SLOWEST_ASK_MS = 5_000;

export interface ServeControlOptions<C extends ControlContract<C>> {
  /** Path of the socket. The caller owns its directory (the store's lock), so an existing socket is stale. */
  path: string;
  routes: ControlRoutes<C>;
  /** Receives internal errors of routes. The client only learns that the request failed. */
  onFailure: (request: string, error: unknown) => void;
}

export interface ControlServer {
  /** Stops accepting requests, gives those in flight at most `graceMs`, and removes the socket. */
  close(graceMs: number): Promise<void>;
}

/** Resolves once the socket answers. Rejects with the system's error, or if another file has the socket's name. */
export async function serveControl<C extends ControlContract<C>>(
  options: ServeControlOptions<C>,
): Promise<ControlServer> {
  const { path } = options;
  const routes = new Map<string, (ask: unknown) => Promise<unknown>>();
  for (const name of Object.keys(options.routes) as (keyof C & string)[]) {
    routes.set(toControlPath(name), options.routes[name]);
  }
  const server = createServer(
    { requestTimeout: SLOWEST_ASK_MS, headersTimeout: SLOWEST_ASK_MS },
    (request, response) => {
      void respond(request, response, routes, options.onFailure);
    },
  );
  await removeDeadSocket(path);
  const short = await shortenSocketPath(path);
  try {
    server.listen(short.path);
    await once(server, 'listening');
    await chmod(short.path, 0o600);
  } catch (error) {
    server.close();
    await short.release();
    throw error;
  }
  // A failed accept, for example for lack of file descriptors, must not end the daemon.
  server.on('error', (error) => options.onFailure('accept', error));
  return {
    close: async (graceMs) => {
      await closeServer(server, graceMs);
      await short.release();
    },
  };
}

async function removeDeadSocket(path: string): Promise<void> {
  let isSocket: boolean;
  try {
    isSocket = (await lstat(path)).isSocket();
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (!isSocket) throw new ForeseenError(`${path} exists and is not a socket. Remove it, or move the state directory.`);
  await unlink(path);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ReadonlyMap<string, (ask: unknown) => Promise<unknown>>,
  onFailure: (request: string, error: unknown) => void,
): Promise<void> {
  const url = request.url ?? '';
  try {
    const route = request.method === 'POST' ? routes.get(url) : undefined;
    if (route === undefined) return fail(response, 'unknown', 'The running daemon does not know this request.');
    const ask = await readAsk(request);
    if (ask === null) return fail(response, 'invalid', `A request must be JSON of at most ${LARGEST_ASK} bytes.`);
    send(response, 200, JSON.stringify((await route(ask.value)) ?? null));
  } catch (error) {
    if (error instanceof ControlRefusal) return fail(response, 'refused', error.message);
    // The client disconnected; no answer is needed.
    if (response.destroyed) return;
    onFailure(url, error);
    fail(response, 'failed', 'The running daemon could not answer; its log says why.');
  }
}

/** Null if the body is too large or no JSON. */
async function readAsk(request: IncomingMessage): Promise<{ value: unknown } | null> {
  const parts: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not destroy the connection: the answer is still to be sent.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_ASK) return null;
    parts.push(part);
  }
  try {
    return { value: JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown };
  } catch {
    // The caller answers with a sentence; the parser's message would only quote the input.
    return null;
  }
}

function fail(response: ServerResponse, code: ControlFailureCode, message: string): void {
  const failure: ControlFailure = { code, message };
  send(response, FAILURE_STATUS[code], JSON.stringify(failure));
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(body);
}
