/** What a mail server's answer means (RFC 5321, 4.2.1: 4xx is for now, 5xx is for good), recipient by recipient. */
import type { Outcome } from '../receiver.ts';
import type { Redact } from './redact.ts';
import { troubleText } from '../trouble.ts';
import { oneLine, cut, listed } from '../../briefing/text.ts';

/** As much as is read of the library's errors. */
interface SmtpError {
  code?: unknown;
  responseCode?: unknown;
  response?: unknown;
  recipient?: unknown;
  rejectedErrors?: unknown;
}

interface Refusal {
  recipient: string;
  permanent: boolean;
  said: string;
}

const LONGEST_ANSWER = 200;
/** Looked through for secrets, so that none that begins in what is shown is cut off before it is known. */
const MOST_READ = 2_000;

function said(error: SmtpError, redact: Redact): string {
  const response = typeof error.response === 'string' ? error.response.slice(0, MOST_READ) : '';
  const shown = redact(response);
  // An echo may be broken over several lines, each of which begins with the code again.
  const joined = response.replaceAll(/[\r\n]+\d{3}[ -]|\s/g, '');
  if (shown === response && redact(joined) !== joined) return response.slice(0, 3);
  return cut(oneLine(shown), LONGEST_ANSWER);
}

function refusals(errors: unknown, redact: Redact): Refusal[] {
  if (!Array.isArray(errors)) return [];
  return errors.map((each: SmtpError) => ({
    recipient: typeof each.recipient === 'string' ? each.recipient : '',
    permanent: typeof each.responseCode === 'number' && each.responseCode >= 500,
    said: said(each, redact),
  }));
}

function reasonOf(refused: readonly Refusal[]): string {
  return listed(
    refused.map((each) => `${each.recipient} (${each.said})`),
    3,
  );
}

/** The mail was taken for at least one recipient. */
export function sentOutcome(accepted: readonly string[], rejectedErrors: unknown, redact: Redact): Outcome {
  const refused = refusals(rejectedErrors, redact);
  const later = refused.filter((each) => !each.permanent);
  const never = refused.filter((each) => each.permanent);
  if (later.length > 0) return deferred(later, never);
  const taken = accepted.length === 1 ? 'one recipient' : `${accepted.length} recipients`;
  if (never.length === 0) return { kind: 'delivered', detail: `the mail server took it for ${taken}` };
  return {
    kind: 'permanent',
    reason: `the mail server refuses ${reasonOf(never)}; it took the mail for ${taken}`,
    remaining: never.map((each) => each.recipient),
  };
}

/** Only those refused for now are tried again. */
function deferred(later: readonly Refusal[], never: readonly Refusal[]): Outcome {
  const refused = {
    recipients: never.map((each) => each.recipient),
    reason: `the mail server refuses ${reasonOf(never)}`,
  };
  return {
    kind: 'transient',
    reason: `the mail server does not take it now for ${reasonOf(later)}`,
    retryAfterMs: null,
    remaining: later.map((each) => each.recipient),
    ...(never.length === 0 ? {} : { refused }),
  };
}

/** Nothing was taken. `hint` says what may be wrong where no conversation came about. */
export function failedOutcome(
  error: unknown,
  signal: AbortSignal,
  redact: Redact,
  hint: string | null = null,
): Outcome {
  const known: SmtpError = typeof error === 'object' && error !== null ? error : {};
  const refused = refusals(known.rejectedErrors, redact);
  const later = refused.filter((each) => !each.permanent);
  if (later.length > 0) {
    return deferred(
      later,
      refused.filter((each) => each.permanent),
    );
  }
  if (refused.length > 0) return { kind: 'permanent', reason: `the mail server refuses ${reasonOf(refused)}` };
  const { code, responseCode } = known;
  if (code === 'ENOAUTH') return { kind: 'permanent', reason: 'the mail server asks for a user name and password' };
  if (code === 'ETLS' || typeof responseCode !== 'number') {
    const told = hint === null || signal.aborted ? '' : ` (${hint})`;
    return { kind: 'transient', reason: `the mail server: ${troubleText(error, signal)}${told}`, retryAfterMs: null };
  }
  const words = said(known, redact);
  const what =
    code === 'EAUTH'
      ? 'the mail server does not accept the user name and password'
      : 'the mail server refuses the mail';
  if (responseCode >= 500) return { kind: 'permanent', reason: `${what}: ${words}` };
  return { kind: 'transient', reason: `the mail server cannot take it now: ${words}`, retryAfterMs: null };
}
