/**
 * An answer in XML: well-formed as a whole, so that one cut off is none, within the limits before it is parsed, and
 * without a document type, whose entities could unfold to gigabytes.
 */
import { XMLParser } from 'fast-xml-parser';
import { LIMITS } from '../../core/observation/limits.ts';
import { readAttribute } from '../../core/text/tags.ts';
import { ProviderError } from '../../provider/errors.ts';
import { refuseOtherType, type Extent, type Form } from '../../provider/reply.ts';

/**
 * The most elements of a whole feed. The parser takes 30 µs for each, and longer the more there are; fifty long
 * entries have some 2,000.
 */
const MOST_PARTS = 20_000;
const MOST_ENTITIES = 200_000;
/** Characters from `<` to `>`. */
const LONGEST_TAG = 64 * 1024;

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
    const extent = measureXml(text);
    if (extent?.hasDocumentType === true) throw broken('has a document type, which no feed needs');
    if (extent === null) throw broken('is no XML, or cut off');
    if (extent.depth > LIMITS.depth) throw broken(`nests more than ${LIMITS.depth} deep`);
    if (extent.containers > MOST_PARTS) throw broken(`holds more than ${MOST_PARTS} elements and attributes`);
    if (extent.values > MOST_ENTITIES) throw broken(`holds more than ${MOST_ENTITIES} entities`);
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
  const declared = (head.startsWith('<?xml') ? readAttribute(head, 'encoding') : null) ?? 'utf-8';
  const label =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : declared;
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return null;
  }
}

/** Each of these begins and ends with these marks, and holds no elements. */
const WHOLE: readonly (readonly [string, string])[] = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
];

/**
 * Counted before it is parsed: to parse it could cost many times its size. Each character is looked at a few times,
 * however the text is made. Null for one that ends inside of something; `values` are its entities.
 */
function measureXml(text: string): (Extent & { hasDocumentType: boolean }) | null {
  let [containers, depth, deepest] = [0, 0, 0];
  const values = text.split('&', MOST_ENTITIES + 2).length - 1;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const whole = WHOLE.find(([begin]) => text.startsWith(begin, at));
    const end = text.indexOf(whole?.[1] ?? '>', at + (whole?.[0].length ?? 0));
    if (end === -1 || (whole === undefined && end - at > LONGEST_TAG)) return null;
    const tag = whole === undefined ? text.slice(at, end) : '';
    at = end;
    // Nothing else begins so: of a document type the rest is not read.
    if (tag.startsWith('<!')) return { containers, values, depth: deepest, hasDocumentType: true };
    if (tag.startsWith('</')) depth -= 1;
    else if (tag !== '') {
      containers += tag.split('=', MOST_PARTS).length;
      if (tag.endsWith('/')) continue;
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
    if (deepest > LIMITS.depth || containers > MOST_PARTS || values > MOST_ENTITIES) break;
  }
  return { containers, values, depth: deepest, hasDocumentType: false };
}
