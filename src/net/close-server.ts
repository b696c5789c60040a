/** Graceful shutdown of an HTTP server. */
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Stops accepting requests and gives those in flight at most `graceMs`. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(impatience);
}
