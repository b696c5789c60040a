/** Where the web room listens: nowhere, somewhere, or somewhere else after a reload. */
import type { HostPort } from '../config/address.ts';
import type { Log } from '../log/log.ts';
import { createApp, type Web } from '../web/app.ts';
import { serveWeb, type WebServer } from '../web/serve.ts';

export interface WebPlace {
  /** Null while it listens nowhere. */
  readonly url: string | null;
  /** Rejects with `PlaceRefused`, and then stays where it was. */
  move(to: HostPort | null): Promise<void>;
  close(graceMs: number): Promise<void>;
}

/** How long an answer under way may still take when the place changes. */
const MOVE_GRACE_MS = 500;

export function createWebPlace(web: Web, log: Log): WebPlace {
  const app = createApp(web);
  let place: HostPort | null = null;
  let server: WebServer | null = null;

  async function open(at: HostPort): Promise<void> {
    server = await serveWeb(app, at, (error) => web.failed('connection', error));
    place = at;
    log.info('The page can be looked at', { url: server.url });
  }

  async function close(graceMs: number): Promise<void> {
    const closing = server;
    [server, place] = [null, null];
    await closing?.close(graceMs);
  }

  /** The new place may overlap the old one, as 0.0.0.0 does with 127.0.0.1: then the old one has to go first. */
  async function replace(before: HostPort, to: HostPort): Promise<void> {
    await close(MOVE_GRACE_MS);
    try {
      await open(to);
    } catch (error) {
      await open(before);
      throw error;
    }
  }

  return {
    get url() {
      return server?.url ?? null;
    },
    async move(to) {
      if (place?.host === to?.host && place?.port === to?.port) return;
      if (to === null) return await close(MOVE_GRACE_MS);
      if (place !== null && server?.port === to.port) return await replace({ ...place, port: to.port }, to);
      const old = server;
      await open(to);
      await old?.close(MOVE_GRACE_MS);
    },
    close,
  };
}
