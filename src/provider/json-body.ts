/** The body of a successful answer: of the media type promised, strict UTF-8, and JSON as the standard has it. */
import { LIMITS } from '../core/observation/limits.ts';
import { ProviderError, type ProviderErrorCode } from './errors.ts';
import { adviceOf, mediaTypeOf, type Ask, type Reply } from './transport.ts';

export function refuseOtherType(reply: Reply, ask: Ask, accepts: (type: string) => boolean, wanted: string): void {
  const type = mediaTypeOf(reply.header('content-type'));
  if (type !== '' && !accepts(type)) {
    const found = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'something unreadable';
    const words = `answered with ${found} where ${wanted} was expected${adviceOf(ask)}`;
    throw new ProviderError('contract_broken', ask, ({ it }) => `${it} ${words}`, { status: reply.status });
  }
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || /^[\w.-]+\/[\w.-]+\+json$/.test(type);
}

/** A byte-order mark is left out; what is not JSON is refused with a reason that does not quote it. */
export function readJson(reply: Reply, ask: Ask): { value: unknown; extent: Extent } {
  refuseOtherType(reply, ask, isJsonType, 'JSON');
  const broken = (why: string, code: ProviderErrorCode = 'contract_broken'): ProviderError =>
    new ProviderError(code, ask, ({ of }) => `the answer${of} ${why}`, { status: reply.status });
  if (reply.body.byteLength === 0) {
    throw broken('is empty');
  }
  const extent = measureJson(reply.body);
  const excess = excessOf(extent);
  if (excess !== null) {
    throw broken(excess.why, excess.code);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(reply.body);
  } catch {
    throw broken('is not valid UTF-8');
  }
  try {
    return { value: JSON.parse(text) as unknown, extent };
  } catch {
    throw broken(isWebPage(text) ? `is a web page and not JSON${adviceOf(ask)}` : describeBrokenJson(text));
  }
}

/** The parser's own message quotes the body, which may hold secrets; say only what kind of thing it is. */
function describeBrokenJson(text: string): string {
  return /^\s*[{[]/.test(text) ? 'is broken or cut off JSON' : 'is not JSON';
}

function isWebPage(text: string): boolean {
  return /^\s*</.test(text);
}

/** How much a body holds, counted on its bytes: to parse it first could cost many times its size in memory. */
export interface Extent {
  /** Objects and lists. */
  containers: number;
  values: number;
  depth: number;
}

/** Stops counting at the first limit that is passed. Outside of texts every bracket and comma is one byte, in UTF-8 too. */
export function measureJson(body: Uint8Array): Extent {
  const extent: Extent = { containers: 0, values: 0, depth: 0 };
  let depth = 0;
  let inText = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (inText) {
      if (byte === BACKSLASH) {
        index += 1;
      } else if (byte === QUOTE) {
        inText = false;
      }
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === COMMA) {
      extent.values += 1;
    } else if (byte === LIST || byte === OBJECT) {
      extent.containers += 1;
      extent.values += 1;
      depth += 1;
      extent.depth = Math.max(extent.depth, depth);
      if (excessOf(extent) !== null) {
        return extent;
      }
    } else if (byte === LIST_END || byte === OBJECT_END) {
      depth -= 1;
    }
  }
  return extent;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Which limit a body passes, as the end of a sentence; null for none. */
export function excessOf({ containers, values, depth }: Extent): { code: ProviderErrorCode; why: string } | null {
  if (depth > LIMITS.depth) {
    return { code: 'contract_broken', why: `nests more than ${LIMITS.depth} deep` };
  }
  if (containers > LIMITS.containers) {
    return { code: 'too_large', why: `holds more than ${LIMITS.containers} objects and lists` };
  }
  return values > LIMITS.values ? { code: 'too_large', why: `holds more than ${LIMITS.values} values` } : null;
}
