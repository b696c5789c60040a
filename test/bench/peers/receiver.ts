/** Receiver of a peer: a webhook or mail server that can be unreachable for a while. */
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Told {
  text: string;
  /** On the clock of `performance.now()`. */
  at: number;
}

export interface Receiver extends AsyncDisposable {
  port: number;
  /** Everything taken so far. */
  told: Told[];
  /** Refuses connections from now on. */
  shut(): Promise<void>;
  /** On the same port again. */
  open(): Promise<void>;
}

export async function startReceiver(takes: 'http' | 'mail'): Promise<Receiver> {
  const told: Told[] = [];
  const take = (what: string): void => void told.push({ text: what, at: performance.now() });
  const listening = takes === 'http' ? webhook(take) : mailbox(take);
  const port = await listening.listen(0);
  let isOpen = true;
  const shut = async (): Promise<void> => {
    if (isOpen) await listening.close();
    isOpen = false;
  };
  return {
    port,
    told,
    shut,
    async open() {
      if (!isOpen) await listening.listen(port);
      isOpen = true;
    },
    [Symbol.asyncDispose]: shut,
  };
}

interface Listening {
  /** Resolves with the port; 0 is any. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

function webhook(take: (what: string) => void): Listening {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      take(body);
      response.end();
    });
  });
  return {
    listen: (port) => listenOn(server, port),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function mailbox(take: (what: string) => void): Listening {
  let smtp: SMTPServer | null = null;
  return {
    listen(port) {
      smtp = new SMTPServer({
        authOptional: true,
        hideSTARTTLS: true,
        onData: (stream, _session, done) =>
          void text(stream)
            .then(take)
            .then(() => done(), done),
      });
      // A client that is killed breaks off.
      smtp.on('error', () => undefined);
      return listenOn(smtp.server, port);
    },
    async close() {
      const open = smtp;
      smtp = null;
      if (open !== null) await new Promise<void>((resolve) => open.close(() => resolve()));
    },
  };
}

async function listenOn(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
