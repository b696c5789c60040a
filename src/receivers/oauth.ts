/**
 * OAuth access tokens (RFC 6749), by client credentials or by a refresh token. They are kept in memory only, and
 * renewed before they expire.
 */
import { isObject } from '../core/text/plain-object.ts';
import { MINUTE, SECOND } from '../core/text/duration.ts';
import { sendRequest, type Answer } from '../net/exchange.ts';
import { toOutcome, toUnansweredOutcome } from './outcome.ts';
import type { Outcome, ReceiverDeps } from './receiver.ts';

export interface OAuthOptions {
  tokenUrl: string;
  clientId: string;
  /** A secret. */
  clientSecret: string | null;
  /** A secret. The server may replace it with each access token. */
  refreshToken: string | null;
  scope: string | null;
}

interface Issued {
  token: string;
  /** Epoch milliseconds. */
  renewAt: number;
}

const SERVER = 'The token server';
/** Lifetime of a token if the response has none. */
const USUAL_LIFE = 5 * MINUTE;
/** A token is renewed when this share of its lifetime is left: it must stay valid while a message is sent. */
const RENEWED_AT = 0.01;

/** Errors of a token server by RFC 6749, section 5.2; nothing else of its response is quoted. */
const REFUSALS: Readonly<Record<string, string>> = {
  invalid_client: 'it does not accept the client id and secret',
  invalid_grant: 'the refresh token has expired or was revoked; authorise the application again',
  unauthorized_client: 'the application may not request such a token',
  unsupported_grant_type: 'it does not issue tokens in this way',
  invalid_scope: 'it does not know the scope',
  invalid_request: 'it does not know the client id or the tenant',
};

/** Coalesces concurrent requests for a token. Methods resolve to a token, or to the failure that prevented one. */
export function createTokens(
  options: OAuthOptions,
  { clock, agents, timeoutMs }: Pick<ReceiverDeps, 'clock' | 'agents' | 'timeoutMs'>,
) {
  let issued: Issued | null = null;
  let { refreshToken } = options;
  let asking: Promise<string | Outcome> | null = null;

  async function ask(signal: AbortSignal): Promise<string | Outcome> {
    try {
      const answer = await sendRequest({
        method: 'POST',
        url: options.tokenUrl,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: encodeTokenRequest({ ...options, refreshToken }),
        timeoutMs,
        signal,
        agents,
      });
      return read(answer);
    } catch (error) {
      return toUnansweredOutcome(SERVER, error, signal);
    }
  }

  function read(answer: Answer): string | Outcome {
    const { access_token: token, expires_in: life, refresh_token: next, error } = parseFields(answer.text);
    if (answer.status < 200 || answer.status >= 300) return toRefusedOutcome(answer, error, clock());
    if (typeof token !== 'string' || token === '') {
      const reason = `${SERVER} answered ${answer.status} without a token; check token_url`;
      return { kind: 'transient', code: 'other', reason, retryAfterMs: null };
    }
    if (typeof next === 'string' && next !== '' && refreshToken !== null) refreshToken = next;
    const lasts = Number(life) > 0 ? Number(life) * SECOND : USUAL_LIFE;
    issued = { token, renewAt: clock() + lasts * (1 - RENEWED_AT) };
    return token;
  }

  async function findToken(signal: AbortSignal): Promise<string | Outcome> {
    if (issued !== null && clock() < issued.renewAt) return issued.token;
    asking ??= ask(signal).finally(() => (asking = null));
    return await asking;
  }

  return {
    current: findToken,
    /** Replaces a token that was refused. */
    async renewed(refused: string, signal: AbortSignal) {
      if (issued?.token === refused) issued = null;
      return await findToken(signal);
    },
  };
}

function encodeTokenRequest({ clientId, clientSecret, refreshToken, scope }: OAuthOptions): string {
  const fields = {
    client_id: clientId,
    ...(clientSecret !== null && { client_secret: clientSecret }),
    ...(refreshToken === null
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken }),
    ...(scope !== null && { scope }),
  };
  return new URLSearchParams(fields).toString();
}

/** Fields of a JSON object; empty for anything else. */
function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function toRefusedOutcome(answer: Answer, error: unknown, now: number): Outcome {
  const words = typeof error === 'string' && Object.hasOwn(REFUSALS, error) ? `${REFUSALS[error]} (${error})` : null;
  const outcome = toOutcome(SERVER, answer, now, words);
  const isRefused = outcome.kind === 'permanent' && words !== null;
  return isRefused ? { ...outcome, code: 'credentials' } : outcome;
}
