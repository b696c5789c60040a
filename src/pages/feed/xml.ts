/**
 * An answer in XML: well-formed as a whole, so that one cut off is none, within the limits before it is parsed, and
 * without a document type, whose entities could unfold to gigabytes.
 */
import { XMLParser } from 'fast-xml-parser';
import { LIMITS } from '../../core/observation/limits.ts';
import { ProviderError } from '../../provider/errors.ts';
import { refuseOtherType, type Form } from '../../provider/reply.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  htmlEntities: true,
});

export const XML: Form = {
  refuseOthers: (reply, ask) => refuseOtherType(reply, ask, (type) => !type.includes('html'), 'a feed'),
  read(reply, ask) {
    const broken = (why: string): ProviderError =>
      new ProviderError('contract_broken', ask, ({ of }) => `the answer${of} ${why}`, { status: reply.status });
    const text = textOf(reply.body);
    if (text === null) throw broken('is in an unknown encoding');
    if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw broken('has a document type, which no feed needs');
    const extent = measureXml(text);
    if (extent.depth > LIMITS.depth) throw broken(`nests more than ${LIMITS.depth} deep`);
    if (extent.containers > LIMITS.containers) throw broken(`holds more than ${LIMITS.containers} elements`);
    try {
      return { value: parser.parse(text, true) as unknown, extent };
    } catch {
      throw broken('is no XML, or cut off');
    }
  },
};

/** By its byte-order mark or its declaration, else UTF-8; null for an encoding nobody knows. */
function textOf(body: Uint8Array): string | null {
  const [first, second] = body;
  const head = new TextDecoder('latin1').decode(body.subarray(0, 200));
  const declared = /^<\?xml[^>]*encoding=["']([\w.-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  const label =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : declared;
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return null;
  }
}

/** Counted before it is parsed: to parse it could cost many times its size. */
function measureXml(text: string): { containers: number; values: number; depth: number } {
  let [containers, depth, deepest] = [0, 0, 0];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (text.startsWith('<![CDATA[', at)) {
      at = Math.max(at, text.indexOf(']]>', at));
      continue;
    }
    const next = text[at + 1];
    if (next === '!' || next === '?') continue;
    if (next === '/') {
      depth -= 1;
      continue;
    }
    containers += 1;
    const end = text.indexOf('>', at);
    if (text[end - 1] === '/') continue;
    depth += 1;
    deepest = Math.max(deepest, depth);
    if (deepest > LIMITS.depth || containers > LIMITS.containers) break;
  }
  return { containers, values: containers, depth: deepest };
}
