/** Outcome of a mail server's response for each recipient (RFC 5321, 4.2.1: 4xx is transient, 5xx is permanent). */
import type { DeliveryFailure, Outcome } from '../receiver.ts';
import type { Redact } from './redact.ts';
import { toUnansweredOutcome } from '../outcome.ts';
import { toOneLine, truncate, formatList } from '../../core/text/plain.ts';

/** Microsoft's response since it refuses passwords. */
const WITHOUT_PASSWORDS = /\b5\.7\.30\b/;
const USE_OAUTH = 'sign in with smtp.oauth';

/** Fields of the library's errors that are used. */
interface SmtpError {
  code?: unknown;
  responseCode?: unknown;
  response?: unknown;
  recipient?: unknown;
  rejectedErrors?: unknown;
}

interface RefusedRecipient {
  recipient: string;
  code: number | null;
  permanent: boolean;
  said: string;
}

/** Maximum length of a quoted response: one line. */
const LONGEST_ANSWER = 200;
/**
 * Length that is searched for secrets. It exceeds the length shown, so a secret that begins in the shown part is found
 * whole.
 */
const MOST_READ = 2_000;

function readResponse(error: SmtpError, redact: Redact): string {
  const response = typeof error.response === 'string' ? error.response.slice(0, MOST_READ) : '';
  return truncate(toOneLine(redact(response)), LONGEST_ANSWER);
}

function listRefusals(errors: unknown, redact: Redact): RefusedRecipient[] {
  if (!Array.isArray(errors)) return [];
  return errors.map((each: SmtpError) => {
    const code = typeof each.responseCode === 'number' ? each.responseCode : null;
    return {
      recipient: typeof each.recipient === 'string' ? each.recipient : '',
      code,
      permanent: code !== null && code >= 500,
      said: readResponse(each, redact),
    };
  });
}

/** Failure code of an SMTP response; `other` without one. */
function toFailureCode(code: number | null): DeliveryFailure {
  if (code === null) return 'other';
  if (code === 530 || code === 534 || code === 535) return 'credentials';
  return code < 500 ? 'server' : 'refused';
}

function toCommonCode([first]: readonly RefusedRecipient[]): DeliveryFailure {
  return toFailureCode(first?.code ?? null);
}

function formatRefusals(refused: readonly RefusedRecipient[]): string {
  return formatList(
    refused.map((each) => `${each.recipient} (${each.said})`),
    3,
  );
}

/** The server accepted the mail for at least one recipient. */
export function toSentOutcome(accepted: readonly string[], rejectedErrors: unknown, redact: Redact): Outcome {
  const refused = listRefusals(rejectedErrors, redact);
  const later = refused.filter((each) => !each.permanent);
  const never = refused.filter((each) => each.permanent);
  if (later.length > 0) return toDeferredOutcome(later, never);
  const taken = accepted.length === 1 ? 'one recipient' : `${accepted.length} recipients`;
  if (never.length === 0) return { kind: 'delivered', detail: `the mail server took it for ${taken}` };
  return {
    kind: 'permanent',
    code: toCommonCode(never),
    reason: `the mail server refuses ${formatRefusals(never)}; it took the mail for ${taken}`,
    remaining: never.map((each) => each.recipient),
  };
}

/** Retries recipients that were deferred; lists those refused permanently. */
function toDeferredOutcome(later: readonly RefusedRecipient[], never: readonly RefusedRecipient[]): Outcome {
  const refused = {
    recipients: never.map((each) => each.recipient),
    reason: `the mail server refuses ${formatRefusals(never)}`,
  };
  return {
    kind: 'transient',
    code: toCommonCode(later),
    reason: `the mail server does not take it now for ${formatRefusals(later)}`,
    retryAfterMs: null,
    remaining: later.map((each) => each.recipient),
    ...(never.length === 0 ? {} : { refused }),
  };
}

interface SigningIn {
  /** Possible cause of a failed connection. */
  hint?: string | null;
  /** Kind of credentials that the server got. */
  signIn?: string;
}

/** The server accepted the mail for no recipient. */
export function toFailedOutcome(
  error: unknown,
  signal: AbortSignal,
  redact: Redact,
  { hint = null, signIn = 'the user name and password' }: SigningIn = {},
): Outcome {
  const known: SmtpError = typeof error === 'object' && error !== null ? error : {};
  const refused = listRefusals(known.rejectedErrors, redact);
  const later = refused.filter((each) => !each.permanent);
  if (later.length > 0) {
    return toDeferredOutcome(
      later,
      refused.filter((each) => each.permanent),
    );
  }
  if (refused.length > 0) {
    return {
      kind: 'permanent',
      code: toCommonCode(refused),
      reason: `the mail server refuses ${formatRefusals(refused)}`,
    };
  }
  const { code, responseCode } = known;
  if (code === 'ENOAUTH') {
    return { kind: 'permanent', code: 'credentials', reason: 'the mail server asks for a user name and password' };
  }
  if (code === 'ETLS' || typeof responseCode !== 'number') {
    return toUnansweredOutcome('the mail server', error, signal, hint);
  }
  const words = readResponse(known, redact);
  if (responseCode < 500) {
    const reason = `the mail server cannot take it now: ${words}`;
    return { kind: 'transient', code: toFailureCode(responseCode), reason, retryAfterMs: null };
  }
  return code === 'EAUTH'
    ? {
        kind: 'permanent',
        code: 'credentials',
        reason: `the mail server does not accept ${signIn}: ${words}${WITHOUT_PASSWORDS.test(words) ? `; ${USE_OAUTH}` : ''}`,
      }
    : { kind: 'permanent', code: toFailureCode(responseCode), reason: `the mail server refuses the mail: ${words}` };
}
