/** A reverse proxy as people first write one: it passes requests on, and adds what its kind adds and nothing else. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

interface PassedOn {
  version: '1.0' | '1.1';
  /** In place of the client's own headers of these names. */
  headers: Record<string, string>;
}

/** `target` is the host and port it passes requests on to. */
export const PROXIES = {
  /** The client's own headers, as they came. */
  'adds nothing': () => ({ version: '1.1', headers: {} }),
  /** nginx with `proxy_pass` alone: HTTP/1.0 and the host of the address it passes on to. */
  'is nginx as it comes': (_, target) => ({ version: '1.0', headers: { host: target } }),
  'sets Host only': ({ headers: { host = '' } }) => ({ version: '1.1', headers: { host } }),
  'adds X-Forwarded-For only': ({ headers, socket }, target) => ({
    version: '1.1',
    headers: {
      host: target,
      'x-forwarded-for': [...[headers['x-forwarded-for'] ?? []].flat(), socket.remoteAddress ?? ''].join(', '),
    },
  }),
} satisfies Record<string, (asked: IncomingMessage, target: string) => PassedOn>;

export type ProxyKind = keyof typeof PROXIES;

/** Each request has a connection of its own to `target`, closed with the answer. */
export async function startPlainProxy(kind: ProxyKind, target: string): Promise<AsyncDisposable & { url: string }> {
  const { hostname, port, host } = new URL(target);
  const server = createServer((asked, answer) => {
    const passed: PassedOn = PROXIES[kind](asked, host);
    const { connection: _, 'transfer-encoding': __, ...own } = asked.headers;
    const body: Buffer[] = [];
    asked.on('data', (piece: Buffer) => body.push(piece));
    asked.on('end', () => {
      const all = Buffer.concat(body);
      const length = all.length === 0 ? {} : { 'content-length': String(all.length) };
      const headers = Object.entries({ ...own, ...length, ...passed.headers, connection: 'close' });
      const lines = headers.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('');
      const upstream = connect(Number(port), hostname);
      upstream.write(`${asked.method} ${asked.url} HTTP/${passed.version}\r\n${lines}\r\n`);
      upstream.write(all);
      // The answer goes back byte by byte.
      if (answer.socket !== null) upstream.pipe(answer.socket);
      for (const gone of [upstream, answer.socket]) {
        gone
          ?.on('error', () => undefined)
          .on('close', () => [upstream, answer.socket].forEach((each) => each?.destroy()));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
