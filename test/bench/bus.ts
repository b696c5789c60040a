/** A receiver of events or of Slack messages: takes all of them, and resolves when an expected one comes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Bus extends AsyncDisposable {
  url: string;
  /** When the first event that holds the text comes from now on, on the clock of `performance.now()`. */
  next(text: string): Promise<number>;
  /** Requests so far. */
  count(): number;
}

export async function startBus(): Promise<Bus> {
  const waiting = new Set<{ text: string; resolve: (at: number) => void }>();
  let requests = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const at = performance.now();
      requests += 1;
      // Slack's own answer to a message that it has taken.
      response.end('ok');
      for (const wanted of waiting) {
        if (!body.includes(wanted.text)) continue;
        waiting.delete(wanted);
        wanted.resolve(at);
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    count: () => requests,
    next: (text) => new Promise((resolve) => void waiting.add({ text, resolve })),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
