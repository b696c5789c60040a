/**
 * The one family of failures of the provider's interfaces. A sentence names the address asked, and the message begins
 * with the operation besides; neither ever holds a key, a header, or what the provider's debugger printed.
 */

export const PROVIDER_ERROR_CODES = [
  /** 401, 403, or a redirect to a login page. */
  'credentials',
  /** 404 or 410; `status` says which. */
  'not_found',
  /** The provider understood and said no; its text is in the message. */
  'refused',
  /** The input is wrong: found before sending, or the provider's 422 with its messages in `fields`. */
  'validation',
  /** 429; `retryAfterMs` where the provider said how long. */
  'rate_limited',
  'timeout',
  /** No answer at all: name not found, connection refused or reset, TLS. */
  'unreachable',
  /** 5xx. */
  'server_error',
  /** An answer that is not what the specification promises. */
  'contract_broken',
  'too_large',
  /** A link or redirect that leads to another origin. */
  'foreign_link',
  /** Given up by us, at shutdown. */
  'cancelled',
] as const;

export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

export interface ProviderErrorFacts {
  /** Id of the operation, e.g. `notices.list`. */
  operation?: string | null;
  status?: number | null;
  retryAfterMs?: number | null;
  /** What is wrong with each field of the input. */
  fields?: Readonly<Record<string, readonly string[]>> | null;
  /** Other fields that the reasons in `fields` speak of. */
  named?: readonly string[];
  /** Its body is JSON or there is none: the interface itself answered, and not a web server before it. */
  inForm?: boolean;
  /** False only where it is certain that the provider saw nothing of the request. */
  maybeSeen?: boolean;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderErrorCode;
  /** The message without the operation before it. */
  readonly sentence: string;
  readonly operation: string | null;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly fields: Readonly<Record<string, readonly string[]>> | null;
  readonly named: readonly string[];
  readonly inForm: boolean;
  readonly maybeSeen: boolean;

  constructor(code: ProviderErrorCode, sentence: string, facts: ProviderErrorFacts = {}) {
    super(facts.operation ? `${facts.operation}: ${sentence}` : sentence);
    this.code = code;
    this.sentence = sentence;
    this.operation = facts.operation ?? null;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.fields = facts.fields ?? null;
    this.named = facts.named ?? [];
    this.inForm = facts.inForm ?? false;
    this.maybeSeen = facts.maybeSeen ?? true;
  }
}

const TRANSIENT: ReadonlySet<ProviderErrorCode> = new Set(['rate_limited', 'timeout', 'unreachable', 'server_error']);

/** Whether the same request may succeed a little later. */
export function isTransient(error: ProviderError): boolean {
  return TRANSIENT.has(error.code);
}
