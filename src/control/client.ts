/** Client of the control socket. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import {
  CONTROL_FAILURES,
  toControlPath,
  LARGEST_ANSWER,
  LARGEST_ASK,
  shortenSocketPath,
  type ControlContract,
  type ControlFailure,
  type ControlRequest,
} from './protocol.ts';
import { readErrorCode, ForeseenError } from '../net/failure.ts';

/**
 * - `no-daemon`: no process listens there. The command falls back on the last commit, or requires the daemon.
 * - `not-permitted`: the daemon belongs to another user.
 * - `timeout`: no complete answer in time; the request may have been carried out.
 * - `broken`: the connection ended early, or the answer was not Linewatch's.
 * - Others come from the daemon: see `protocol.ts`.
 */
const CONTROL_ERRORS = ['no-daemon', 'not-permitted', 'timeout', 'broken', ...CONTROL_FAILURES] as const;
export type ControlErrorCode = (typeof CONTROL_ERRORS)[number];

/** A failed request; the message is a sentence for people. */
export class ControlError extends ForeseenError {
  override readonly name = 'ControlError';
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface AskControlOptions<C extends ControlContract<C>, K extends keyof C & string> {
  /** Path of the socket: `CONTROL_SOCKET` in the state directory. */
  path: string;
  request: ControlRequest<C, K>;
  /** From connecting to the last byte of the answer. */
  timeoutMs: number;
}

/** Throws `ControlError` and nothing else. */
export async function sendControlRequest<C extends ControlContract<C>, K extends keyof C & string = keyof C & string>(
  options: AskControlOptions<C, K>,
): Promise<C[K]['answer']> {
  const { path, request, timeoutMs } = options;
  const body = JSON.stringify(request.ask ?? null);
  if (Buffer.byteLength(body) > LARGEST_ASK) {
    throw new ControlError('invalid', `A request may have at most ${LARGEST_ASK} bytes.`);
  }
  let reply: { status: number; body: unknown };
  try {
    const short = await shortenSocketPath(path);
    try {
      reply = await post(short.path, toControlPath(request.name), body, AbortSignal.timeout(timeoutMs));
    } finally {
      await short.release();
    }
  } catch (error) {
    throw explain(error, path, timeoutMs);
  }
  if (reply.status === 200) return reply.body;
  const failure = asFailure(reply.body);
  if (failure === null) throw new ControlError('broken', `What answered on ${path} is not Linewatch.`);
  throw new ControlError(failure.code, failure.message);
}

async function post(
  socketPath: string,
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // `agent: false`: a connection for this request only.
  const sent = httpRequest(
    { socketPath, path, method: 'POST', agent: false, signal, headers: { 'content-type': 'application/json' } },
    resolve,
  );
  sent.on('error', reject);
  sent.end(body);
  const response = await promise;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_ANSWER) throw new RangeError('The answer is too large.');
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown };
}

function explain(error: unknown, path: string, timeoutMs: number): ControlError {
  const code = readErrorCode(error);
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') {
    return new ControlError('no-daemon', `No Linewatch is running on this state directory (${path}).`, error);
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new ControlError('not-permitted', `Only the user that runs Linewatch may talk to it (${path}).`, error);
  }
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return new ControlError('timeout', `The running daemon gave no answer within ${timeoutMs} ms (${path}).`, error);
  }
  return new ControlError('broken', `The running daemon gave no usable answer (${path}).`, error);
}

function asFailure(body: unknown): ControlFailure | null {
  if (typeof body !== 'object' || body === null) return null;
  const { code, message } = body as Partial<Record<keyof ControlFailure, unknown>>;
  const known = CONTROL_FAILURES.find((each) => each === code);
  return known === undefined || typeof message !== 'string' ? null : { code: known, message };
}
