/** Puts a simulator on a port. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Simulator } from './simulator.ts';

export interface Listening {
  /** Without a slash at the end: `http://127.0.0.1:40123`. */
  url: string;
  port: number;
  /** Closes the port and every connection, also those that hang. */
  close: () => Promise<void>;
}

/** Port 0 lets the system choose. Rejects with the system's error where the port is taken. */
export async function listen(
  simulator: Pick<Simulator, 'app'>,
  { port = 0, host = '127.0.0.1' }: { port?: number | undefined; host?: string | undefined } = {},
): Promise<Listening> {
  // Leaving the global Request and Response alone: the simulator shares its process with real clients.
  const answer = getRequestListener(simulator.app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
        server.closeAllConnections();
      }),
  };
}
