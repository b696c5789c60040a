/**
 * One request to whoever only has to take something: no retries, no redirects, a limit on time. Its status and headers
 * decide; of the body no more is read than may say why, and what is packed stays packed.
 */
import got from 'got';
import { LIMITS } from '../core/observation/limits.ts';
import type { AgentChoice } from './agents.ts';

export interface Exchange {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** For the whole exchange, in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
  agents: AgentChoice;
  /** Of the body; default as much as may say why. */
  mostBytes?: number;
}

export interface Answer {
  status: number;
  retryAfter: string | null;
  /** The `Date` of the answer, with which a date in `Retry-After` is compared. */
  date: string | null;
  /** By name in small letters; a header that came several times is left out. */
  headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  text: string;
}

/** Rejects only when no status arrived: whatever goes wrong after that cannot unmake the other side's answer. */
export async function sendRequest({
  method,
  url,
  headers,
  body,
  timeoutMs,
  signal,
  agents,
  mostBytes = LIMITS.courtesyBytes,
}: Exchange): Promise<Answer> {
  return await new Promise<Answer>((resolve, reject) => {
    const stream = got.stream(url, {
      method,
      headers: { 'user-agent': 'linewatch', ...toLengthHeader(body), ...headers },
      signal,
      timeout: { request: timeoutMs },
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
      decompress: false,
      agent: agents.for(url),
    });
    let head: Omit<Answer, 'text'> | null = null;
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (error?: unknown): void => {
      if (head === null) {
        reject(error instanceof Error ? error : new Error('the connection was closed without an answer'));
      } else resolve({ ...head, text: Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8') });
    };
    stream.on(
      'response',
      (response: { statusCode: number; headers: Record<string, string | string[] | undefined> }) => {
        const single = Object.entries(response.headers).filter(([, value]) => typeof value === 'string');
        const headers = Object.fromEntries(single) as Record<string, string>;
        const { 'retry-after': retryAfter = null, date = null } = headers;
        head = { status: response.statusCode, retryAfter, date, headers };
      },
    );
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < mostBytes) return;
      settle();
      stream.destroy();
    });
    stream.on('end', () => settle());
    stream.on('error', settle);
    stream.on('close', () => settle());
    if (method !== 'GET') stream.end(body);
  });
}

/**
 * What says how long a body is that is written to a stream of got. Given to got as an option, got would look whether it is
 * a form, and for that load undici: 40 ms before the first message is out, and memory for good.
 */
export function toLengthHeader(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}
