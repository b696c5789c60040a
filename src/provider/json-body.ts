/** The body of a successful answer: of the media type promised, strict UTF-8, and JSON as the standard has it. */
import { place } from './address.ts';
import { ProviderError } from './errors.ts';
import { mediaTypeOf, type Ask, type Reply } from './transport.ts';

/** The documented answers nest 5 deep; whoever prints or compares an answer recurses into it. */
const DEPTH_LIMIT = 100;

export function refuseOtherType(reply: Reply, ask: Ask, accepts: (type: string) => boolean, wanted: string): void {
  const type = mediaTypeOf(reply.header('content-type'));
  if (type !== '' && !accepts(type)) {
    const found = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'something unreadable';
    const message = `${ask.operation}: ${place(ask.url)} answered with ${found} where ${wanted} was expected`;
    throw new ProviderError('contract_broken', message, { operation: ask.operation, status: reply.status });
  }
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || /^[\w.-]+\/[\w.-]+\+json$/.test(type);
}

/** A byte-order mark is left out; what is not JSON is refused with a reason that does not quote it. */
export function readJson(reply: Reply, ask: Ask): unknown {
  refuseOtherType(reply, ask, isJsonType, 'JSON');
  const broken = (why: string): ProviderError =>
    new ProviderError('contract_broken', `${ask.operation}: the answer of ${place(ask.url)} ${why}`, {
      operation: ask.operation,
      status: reply.status,
    });
  if (reply.body.byteLength === 0) {
    throw broken('is empty');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(reply.body);
  } catch {
    throw broken('is not valid UTF-8');
  }
  if (isTooDeep(text)) {
    throw broken(`nests more than ${DEPTH_LIMIT} deep`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw broken(describeBrokenJson(text));
  }
}

/** The parser's own message quotes the body, which may hold secrets; say only what kind of thing it is. */
function describeBrokenJson(text: string): string {
  const start = text.trimStart().slice(0, 1);
  if (start === '<') {
    return 'is a web page and not JSON';
  }
  return start === '{' || start === '[' ? 'is broken or cut off JSON' : 'is not JSON';
}

/** Counts brackets outside of texts. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inText) {
      if (character === '\\') {
        index += 1;
      } else if (character === '"') {
        inText = false;
      }
    } else if (character === '"') {
      inText = true;
    } else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > DEPTH_LIMIT) {
        return true;
      }
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return false;
}
