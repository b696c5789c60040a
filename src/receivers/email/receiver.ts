/** Mail over SMTP: one mail for each message, encrypted unless configured otherwise. */
import { domainToASCII } from 'node:url';
import type { Message } from '../../core/outbox/message.ts';
import { createTokens, type OAuthOptions } from '../oauth.ts';
import { sendInTurn, type MailedReport, type Outcome, type Receiver, type ReceiverDeps } from '../receiver.ts';
import { toFailedOutcome, toSentOutcome } from './smtp-outcome.ts';
import { explainPortMismatch } from '../../net/hosts.ts';
import { createRedactor } from './redact.ts';
import { renderMail, type RenderedMail } from './render.ts';
import { createSubjectLimit, planTicketMail, toTicketMail, type TicketMail } from './ticket-mail.ts';

const SECURITIES = ['starttls', 'tls', 'none'] as const;
type Security = (typeof SECURITIES)[number];

export interface SmtpOptions {
  host: string;
  port: number;
  security: Security;
  username: string | null;
  /** A secret. */
  password: string | null;
  /** PEM text of the certificate authorities to trust instead of the system's, or null. */
  ca: string | null;
  /** OAuth sign-in instead of a password. */
  oauth?: (OAuthOptions & { user: string }) | null;
}

/** Signature of the sender's domain (RFC 6376). */
export interface DkimOptions {
  domain: string;
  selector: string;
  /** PEM text. A secret. */
  privateKey: string;
}

export interface EmailOptions {
  name: string;
  smtp: SmtpOptions;
  /** `Name <address>` or a bare address. */
  from: string;
  to: readonly string[];
  dkim?: DkimOptions | null;
  /** `ticket`: for a help desk that creates a ticket from every mail. */
  mode?: 'message' | 'ticket';
}

/** The timeout applies to each step of the SMTP conversation; the whole may take four times as long. */
export function createEmailReceiver(
  { name, smtp, from, to, dkim = null, mode = 'message' }: EmailOptions,
  { timeoutMs, compose, clock, report, agents, customerLabel }: ReceiverDeps,
): Receiver {
  let transport: ReturnType<typeof openTransport> | null = null;
  const limit = createSubjectLimit();
  const tokens = smtp.oauth ? createTokens(smtp.oauth, { clock, agents, timeoutMs }) : null;
  return {
    name,
    type: 'email',
    audience: 'people',
    batch: 1,
    recipients: [...new Set(to.map(parseAddress))],
    send: async (messages, signal, only) =>
      await sendInTurn(messages, (message) => sendOne(message, signal, only ?? to)),
  };

  /** Null for a message without a report. */
  async function reportFor(message: Message): Promise<MailedReport | 'unmade' | null> {
    const month = findReportMonth(message);
    if (month === null || report === undefined) return null;
    return await report(month).catch(() => 'unmade' as const);
  }

  async function sendOne(message: Message, signal: AbortSignal, recipients: readonly string[]): Promise<Outcome> {
    if (mode === 'message') return await sendMail(message, signal, recipients, null);
    const ticket = planTicketMail(message, customerLabel(message.alert.source));
    if (ticket === null) return { kind: 'delivered', detail: 'no news for a ticket' };
    const full = limit.check(ticket.subject, clock());
    if (full !== null) return full;
    const outcome = await sendMail(message, signal, recipients, ticket);
    if (outcome.kind !== 'delivered') return outcome;
    limit.sent(ticket.subject, clock());
    return { ...outcome, keep: ticket.keep };
  }

  async function sendMail(
    message: Message,
    signal: AbortSignal,
    recipients: readonly string[],
    ticket: TicketMail | null,
  ): Promise<Outcome> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs * 4)]);
    const attached = await reportFor(message);
    if (attached === 'unmade') return UNMADE;
    const rendered = renderMail(message, compose(message), {
      organizer: parseAddress(from),
      attendees: to.map(parseAddress),
    });
    const mail = ticket === null ? rendered : toTicketMail(rendered, ticket);
    const data = withReport(toMailData(mail, from, to, clock()), attached);
    if (tokens === null) return await postMail(data, recipients, null, signal, limited);
    const issued = await tokens.current(limited);
    if (typeof issued !== 'string') return issued;
    const outcome = await postMail(data, recipients, issued, signal, limited);
    if (!isTokenRefused(outcome)) return outcome;
    // The token may have expired on its way. A new token that is refused as well is a permanent failure.
    const renewed = await tokens.renewed(issued, limited);
    return typeof renewed === 'string' ? await postMail(data, recipients, renewed, signal, limited) : renewed;
  }

  async function postMail(
    data: ReturnType<typeof withReport>,
    recipients: readonly string[],
    token: string | null,
    signal: AbortSignal,
    limited: AbortSignal,
  ): Promise<Outcome> {
    const redact = createRedactor(smtp.password ?? '', token ?? '');
    try {
      transport ??= openTransport(smtp, dkim, timeoutMs);
      const info = await (
        await transport
      ).sendMail({
        ...data,
        envelope: { from: parseAddress(from), to: recipients.map(parseAddress) },
        signal: limited,
        ...(token !== null && { auth: { type: 'OAuth2', user: smtp.oauth?.user ?? '', accessToken: token } }),
      });
      return toSentOutcome(info.accepted.map(String), info.rejectedErrors, redact);
    } catch (error) {
      const signIn = token === null ? 'the user name and password' : 'the token of the sign-in';
      return toFailedOutcome(error, signal, redact, { hint: explainPortMismatch(smtp.port, smtp.security), signIn });
    }
  }
}

function isTokenRefused(outcome: Outcome): boolean {
  return outcome.kind === 'permanent' && outcome.code === 'credentials';
}

/** Retried like a mail that the server deferred. */
const UNMADE: Outcome = {
  kind: 'transient',
  code: 'other',
  reason: 'the report cannot be made: its history cannot be read',
  retryAfterMs: null,
};

/** Month of the report that belongs to the message. */
function findReportMonth({ changes }: Message): string | null {
  const [month] = changes.flatMap(({ transition }) =>
    transition.kind === 'linewatch.state' ? (transition.details.report?.month ?? []) : [],
  );
  return month ?? null;
}

function withReport(mail: ReturnType<typeof toMailData>, report: MailedReport | null) {
  if (report === null) return mail;
  const { name: filename, html: content, text } = report;
  return {
    ...mail,
    text: `${mail.text}\n\n${text}\n`,
    attachments: [{ filename, content, contentType: 'text/html; charset=utf-8' }],
  };
}

/** Loaded with the first message, so that start-up does not wait for the library. */
async function openTransport(smtp: SmtpOptions, dkim: DkimOptions | null, timeoutMs: number) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ ...toTransportOptions(smtp, timeoutMs), ...toDkimOptions(dkim) });
}

function toDkimOptions(dkim: DkimOptions | null) {
  if (dkim === null) return {};
  return { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } };
}

/** Converts a rendered mail for the mail library. */
export function toMailData(mail: RenderedMail, from: string, to: readonly string[], at: number) {
  return {
    from,
    to: [...to],
    date: new Date(at),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: mail.headers,
    xMailer: false as const,
    // The library must not read files or addresses that a message names.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(mail.inReplyTo === null ? {} : { inReplyTo: mail.inReplyTo, references: mail.references }),
    ...(mail.calendar === null
      ? {}
      : { icalEvent: { method: mail.calendar.method, filename: 'maintenance.ics', content: mail.calendar.content } }),
  };
}

function toTransportOptions({ host, port, security, username, password, ca, oauth }: SmtpOptions, timeoutMs: number) {
  return {
    host,
    port,
    secure: security === 'tls',
    // Without this, a server or an attacker that does not offer STARTTLS would get the mail in clear text.
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2' as const, ...(ca === null ? {} : { ca }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Authentication is required if credentials are configured: a server without it is not the configured one.
    ...(username === null ? {} : { auth: { user: username, pass: password ?? '' }, forceAuth: true }),
    ...(oauth && { forceAuth: true }),
  };
}

/** Bare address in wire format (punycode), by which a server's refusals name the recipient. */
export function parseAddress(text: string): string {
  const inside = /<([^<>]+)>\s*$/.exec(text)?.[1];
  const address = (inside ?? text).trim();
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return at === -1 || domain === '' ? address : `${address.slice(0, at + 1)}${domain}`;
}
