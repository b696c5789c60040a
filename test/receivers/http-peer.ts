/** A real HTTP server as the other side of a receiver. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface HttpPeer {
  url: string;
  received: Received[];
  /** Decides how requests are answered from now on. */
  answer: (response: ServerResponse) => void;
  /** Resolves at the next request, before it is answered. */
  nextRequest: () => Promise<Received>;
  close: () => Promise<void>;
}

export async function httpPeer(): Promise<HttpPeer> {
  const waiting: ((received: Received) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      peer.received.push(received);
      for (const wake of waiting.splice(0)) wake(received);
      peer.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const peer: HttpPeer = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    answer: (response) => response.end('ok'),
    nextRequest: async () => await new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return peer;
}

export function status(
  code: number,
  body = '',
  headers: Record<string, string> = {},
): (response: ServerResponse) => void {
  return (response) => response.writeHead(code, headers).end(body);
}
