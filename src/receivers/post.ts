/** One POST: no retries, no redirects, a limit on time and on the size of the answer. The headers decide, not the body. */
import got from 'got';
import type { AgentChoice } from '../net/agents.ts';

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** For the whole exchange, in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
  agents: AgentChoice;
}

export interface Answer {
  status: number;
  retryAfter: string | null;
  /** The `Date` of the answer, with which a date in `Retry-After` is compared. */
  date: string | null;
  /** The first 16 kB of the body. */
  text: string;
}

const MOST_BYTES = 16_384;

/** Rejects only when no status arrived: whatever goes wrong after that cannot unmake the other side's answer. */
export async function post({ url, headers, body, timeoutMs, signal, agents }: Post): Promise<Answer> {
  return await new Promise<Answer>((resolve, reject) => {
    const stream = got.stream.post(url, {
      headers: { 'user-agent': 'linewatch', ...headers },
      body,
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
      if (head === null)
        reject(error instanceof Error ? error : new Error('the connection was closed without an answer'));
      else resolve({ ...head, text: Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8') });
    };
    stream.on(
      'response',
      (response: { statusCode: number; headers: Record<string, string | string[] | undefined> }) => {
        const header = (name: string): string | null => {
          const value = response.headers[name];
          return typeof value === 'string' ? value : null;
        };
        head = { status: response.statusCode, retryAfter: header('retry-after'), date: header('date') };
      },
    );
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < MOST_BYTES) return;
      settle();
      stream.destroy();
    });
    stream.on('end', () => settle());
    stream.on('error', settle);
    stream.on('close', () => settle());
  });
}
