/**
 * Sends one HTTP request without retries or redirects, within a time limit. Status and headers decide the outcome. The
 * body is read only far enough to explain a failure, and is not decompressed.
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
  /** Most bytes of the body to read; by default enough to explain a failure. */
  mostBytes?: number;
}

export interface Answer {
  status: number;
  retryAfter: string | null;
  /** The `Date` header: reference for a date in `Retry-After`. */
  date: string | null;
  /** By lower-case name. Headers sent more than once are left out. */
  headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  text: string;
}

/** Rejects only if no status arrived: an error after the status does not undo the server's answer. */
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
 * Content-Length for a body that is written to a got stream. With the `body` option got would check for form data and
 * load undici: 40 ms before the first message, and memory for good.
 */
export function toLengthHeader(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}
