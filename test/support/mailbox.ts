/** A real mail server on the loopback address that keeps what it takes. */
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { MailServer } from './mail-server.ts';
import { waitingRoom } from './waiting-room.ts';

export interface Mail extends Email {
  /** As it came over the wire. */
  raw: string;
}

export interface Mailbox extends AsyncDisposable {
  port: number;
  mails: Mail[];
  /** Resolves with all mails once they are this many. */
  takes: (count: number) => Promise<Mail[]>;
}

export async function startMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mail[] = [];
  const room = waitingRoom();
  const server = new MailServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onData(stream, _session, done) {
      void buffer(stream)
        .then(async (raw) => mails.push({ ...(await PostalMime.parse(raw)), raw: raw.toString('utf8') }))
        .then(() => {
          done();
          room.look();
        }, done);
    },
    ...options,
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A client that breaks off is what some tests are about.
  server.on('error', () => undefined);
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    takes: (count) => room.until(`${count} mails`, () => (mails.length >= count ? mails : undefined)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        room.close('the mail server was closed');
        server.close(() => resolve());
      }),
  };
}

/** A header as the reader's program finds it. */
export function headerOf(mail: Mail, name: string): string | undefined {
  return mail.headers.find(({ key }) => key === name.toLowerCase())?.value;
}
