/** A real mail server as the other side of the email receiver. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { MailServer } from '../support/mail-server.ts';

export const KEY = readFileSync(new URL('../fixtures/tls/localhost.key', import.meta.url), 'utf8');
export const CERTIFICATE = readFileSync(new URL('../fixtures/tls/localhost.crt', import.meta.url), 'utf8');

export interface Envelope {
  from: string;
  to: string[];
  source: string;
  encrypted: boolean;
  user: string | null;
}

export interface SmtpPeer {
  port: number;
  received: Envelope[];
  /** `null` accepts; a reply such as `450 try later` refuses. By recipient, `DATA` or `AUTH`. */
  replies: Map<string, string>;
  /** Neither accepts nor refuses what comes at DATA. */
  hang: boolean;
  /** Resolves when a mail has arrived at DATA, before it is answered. */
  nextMail: () => Promise<void>;
  close: () => Promise<void>;
}

export interface SmtpPeerOptions {
  /** Offers STARTTLS (default), speaks TLS at once, or neither. */
  security?: 'starttls' | 'tls' | 'none';
  password?: string;
  /** Takes tokens in place of passwords: those for which it answers true. */
  takesToken?: (token: string) => boolean;
}

function refusal(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

export async function smtpPeer({
  security = 'starttls',
  password,
  takesToken,
}: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const waiting: (() => void)[] = [];
  const isOpen = password === undefined && takesToken === undefined;
  const server = new MailServer({
    key: KEY,
    cert: CERTIFICATE,
    secure: security === 'tls',
    disabledCommands: [...(security === 'none' ? ['STARTTLS'] : []), ...(isOpen ? ['AUTH'] : [])],
    authMethods: takesToken === undefined ? ['PLAIN', 'LOGIN'] : ['XOAUTH2'],
    authOptional: isOpen,
    allowInsecureAuth: security === 'none',
    logger: false,
    closeTimeout: 10,
    onAuth(auth, _session, callback) {
      const reply = peer.replies.get('AUTH');
      if (reply !== undefined) return callback(refusal(reply));
      if (takesToken !== undefined) {
        if (takesToken(auth.accessToken ?? '')) return callback(null, { user: auth.username ?? '' });
        return callback(refusal(`535 5.7.3 Authentication unsuccessful ${auth.accessToken}`));
      }
      if (auth.password !== password) return callback(refusal(`535 5.7.8 no such user, or not with ${auth.password}`));
      return callback(null, { user: auth.username ?? '' });
    },
    onRcptTo(address, _session, callback) {
      const reply = peer.replies.get(address.address);
      callback(reply === undefined ? null : refusal(reply));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        for (const wake of waiting.splice(0)) wake();
        if (peer.hang) return;
        const reply = peer.replies.get('DATA');
        if (reply !== undefined) return callback(refusal(reply));
        const { mailFrom, rcptTo } = session.envelope;
        peer.received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((each) => each.address),
          source: Buffer.concat(chunks).toString('utf8'),
          encrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        });
        return callback(null);
      });
    },
  });
  // Clients that break off are part of the tests.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer: SmtpPeer = {
    port: (server.server.address() as AddressInfo).port,
    received: [],
    replies: new Map(),
    hang: false,
    nextMail: async () => await new Promise((resolve) => waiting.push(resolve)),
    close: async () => await new Promise((resolve) => server.close(resolve)),
  };
  return peer;
}
