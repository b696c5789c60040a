/** Adapts an app to Node.js's requests. */
import { getRequestListener } from '@hono/node-server';
import type { Listener } from './serve.ts';

export function createListener(app: { fetch: Parameters<typeof getRequestListener>[0] }): Listener {
  // Leaves the global Request and Response unchanged, as the process is a client of the provider, too.
  return getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: 'localhost' });
}
