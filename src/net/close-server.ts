/** How a server on this machine ends. */
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Takes no more requests, and lets those under way finish for at most `graceMs`. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(impatience);
}
