/**
 * An allow-list for errors. Errors of HTTP and mail libraries carry requests, headers and credentials as properties.
 * Only these four fields are logged, each redacted first.
 */
import { toSourceFrame } from './source-place.ts';

export interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

/** Longer messages may quote a whole response. */
const LONGEST_MESSAGE = 500;
const MOST_FRAMES = 12;

/** Never throws, whatever `error` is. */
export function describeError(error: unknown, redact: (text: string) => string): ErrorDescription {
  if (!(error instanceof Error)) return { name: 'NonError', message: clean(readable(error), redact) };
  const name = clean(String(error.name), redact);
  const message = clean(String(error.message), redact);
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined;
  const frames = framesOf(error);
  return {
    name,
    message,
    ...(code === undefined ? {} : { code: clean(String(code), redact) }),
    ...(frames.length === 0 ? {} : { stack: [`${name}: ${message}`, ...frames].join('\n') }),
  };
}

/** Skips the head of the stack: it repeats the message, unredacted and at any length. */
function framesOf(error: Error): string[] {
  if (typeof error.stack !== 'string') return [];
  return error.stack
    .split('\n')
    .filter((line) => /^\s+at .*(:\d+:\d+\)?|\(native\)|<anonymous>\)?)$/.test(line))
    .slice(0, MOST_FRAMES)
    .map(toSourceFrame);
}

function readable(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  return `something that is not an error was thrown: ${typeof thrown}`;
}

function clean(text: string, redact: (text: string) => string): string {
  const said = hideCredentials(redact(text));
  return said.length > LONGEST_MESSAGE ? `${said.slice(0, LONGEST_MESSAGE)}…` : said;
}

/** Hides text that looks like a credential, even if the configuration does not name it. */
export function hideCredentials(text: string): string {
  return text
    .replace(/\b(Bearer|Basic)\s+[\w+/=.~-]+/gi, '$1 [hidden]')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1[hidden]@')
    .replace(/(https?:\/\/[^\s?#"'<>]+)\?[^\s"'<>]*/gi, '$1?[hidden]');
}
