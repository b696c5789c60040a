/**
 * Parses XML. A truncated document is rejected, limits are checked before parsing, and document types are refused
 * because entities could expand to gigabytes.
 */
import { XMLParser } from 'fast-xml-parser';
import { LIMITS } from '../../core/observation/limits.ts';
import { readAttribute } from '../../core/text/tags.ts';
import { ProviderError } from '../../provider/errors.ts';
import type { Extent } from '../../provider/json-body.ts';
import { refuseOtherType, type Form } from '../../provider/reply.ts';

/** Elements per feed. The parser takes at least 30 µs for each; fifty long entries have some 2,000. */
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

/** Decodes by byte-order mark or declaration, else UTF-8; null for an unknown encoding. */
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

/** Start and end of constructs without elements. */
const WHOLE: readonly (readonly [string, string])[] = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
];

/**
 * Counts in linear time before parsing, which could cost many times the size. Null if the text ends inside a construct;
 * `values` are entities.
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
    // A document type: stop here.
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
