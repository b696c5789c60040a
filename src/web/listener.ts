/** From Node.js's requests to an app and back. */
import { getRequestListener } from '@hono/node-server';
import type { Listener } from './serve.ts';

export function listenerOf(app: { fetch: Parameters<typeof getRequestListener>[0] }): Listener {
  // Leaving the global Request and Response alone: the process is a client of the provider, too.
  return getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: 'localhost' });
}
