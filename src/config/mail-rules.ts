/** Rules across the mail settings. */
import { X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { isLoopback, explainPortMismatch } from '../net/hosts.ts';
import type { Requirement } from './config-file.ts';
import type { SmtpConfig } from './schema/mail-schema.ts';
import { isReported, addProblemAt, type Where } from './merged.ts';
import { formatValue, findValue, type Path } from './problem.ts';
import { hasReference } from './references.ts';
import { readTextFile } from './text-file.ts';

/** Checks the settings of a mail server and the files it names. */
export async function checkMail(where: Where, smtp: SmtpConfig, require: Requirement): Promise<void> {
  checkSecurity(where, smtp);
  if (smtp.oauth === null) checkSignIn(where, smtp);
  else checkOAuth(where, smtp, smtp.oauth);
  if (smtp.caFile !== null) await checkCertificates(where, smtp.caFile, require);
}

function checkSecurity(where: Where, smtp: SmtpConfig): void {
  const { host, port, security, allowPlaintext } = smtp;
  if (security === 'none' && !allowPlaintext && !isLoopback(host) && !hasReference(host)) {
    const message =
      'none sends mail and password unprotected; use starttls or tls, or allow it with allow_plaintext: true';
    addProblemAt(where, ['smtp', 'security'], message);
  }
  const hint = explainPortMismatch(port, security);
  if (hint !== null) addProblemAt(where, ['smtp', 'port'], hint, 'warning');
}

function checkSignIn(where: Where, { username, password }: SmtpConfig): void {
  // An invalid or misspelt value was reported already; its absence is not reported again.
  if (username !== null && password === null && !isReported(where, ['smtp', 'password'])) {
    addProblemAt(where, ['smtp', 'username'], 'a user name without a password; add password, or leave both out');
  }
  if (password !== null && username === null && !isReported(where, ['smtp', 'username'])) {
    const message = 'a password without a user name; add username, or leave both out';
    addProblemAt(where, ['smtp', 'password'], message, 'error', 'key');
  }
}

/** A token replaces the password. It needs one token address, and a credential for it. */
function checkOAuth(where: Where, { username, password }: SmtpConfig, oauth: NonNullable<SmtpConfig['oauth']>): void {
  const tell = (inside: Path, message: string): void => {
    if (!isReported(where, ['smtp', ...inside])) addProblemAt(where, ['smtp', ...inside], message, 'error', 'key');
  };
  if (password !== null) tell(['password'], 'oauth signs in without a password; leave password and username out');
  else if (username !== null) tell(['username'], 'oauth names its own user; leave username out');
  const given = findValue(where.file.raw, [...where.path, 'smtp', 'oauth', 'token_url']) !== undefined;
  const tenantIsAmiss = isReported(where, ['smtp', 'oauth', 'tenant']);
  if (oauth.tenant === null && !given && !tenantIsAmiss) {
    tell(['oauth'], 'tenant (for Microsoft 365) or token_url is required and missing');
  } else if (given && oauth.tenant !== null) {
    tell(['oauth', 'tenant'], 'tenant and token_url both say where tokens come from; keep one');
  }
  if (oauth.clientSecret === null && oauth.refreshToken === null) {
    tell(['oauth'], 'client_secret or refresh_token is required and missing');
  }
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** An unreadable certificate is a warning for `check` and an error for `run`; an invalid one is an error. */
async function checkCertificates(where: Where, name: string, require: Requirement): Promise<void> {
  if (hasReference(name)) return;
  const reading = await readTextFile(resolve(dirname(where.file.path), name));
  if ('why' in reading) {
    addProblemAt(
      where,
      ['smtp', 'ca_file'],
      `${formatValue(name)}: ${reading.why}`,
      require === 'run' ? 'error' : 'warning',
    );
  } else if (!holdsCertificates(reading.text)) {
    const message = `${formatValue(name)} holds no certificate; name a PEM file, whose certificates begin with "-----BEGIN CERTIFICATE-----"`;
    addProblemAt(where, ['smtp', 'ca_file'], message);
  }
}

function holdsCertificates(text: string): boolean {
  const blocks = text.match(BLOCK) ?? [];
  return blocks.length > 0 && blocks.every(isCertificate);
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).subject !== undefined;
  } catch {
    return false;
  }
}
