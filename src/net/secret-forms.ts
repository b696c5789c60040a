/** Encodings in which a secret may appear in text, and the formats that secrets must have. */
import { Buffer } from 'node:buffer';

/** Shorter values are not redacted, as they occur in ordinary text. */
export const SHORTEST_SECRET = 4;

/**
 * The value itself, escaped for URLs, JSON and HTML, and in base64 and hex. Forms below the minimum length are omitted.
 */
export function listSecretForms(value: string): string[] {
  const percent = encodeURIComponent(value.toWellFormed());
  const once = JSON.stringify(value).slice(1, -1);
  const forms = [
    value,
    percent,
    toLowerCaseEscapes(percent),
    new URLSearchParams({ v: value }).toString().slice(2),
    encodeURI(value.toWellFormed()),
    once,
    JSON.stringify(once).slice(1, -1),
    once.replaceAll('/', '\\/'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ...base64Forms(value),
    ...hexForms(value),
  ];
  return forms.filter((form) => form.length >= SHORTEST_SECRET);
}

function toLowerCaseEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * Base64 of the value, and the part that survives inside the base64 of a longer text such as `user:password`. Three
 * alignments, each without the characters that also encode neighbouring bytes.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = [bytes.toString('base64'), bytes.toString('base64url')];
  for (const offset of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const inside = shifted.toString('base64').slice(first, Math.floor((shifted.length * 8) / 6));
    if (inside.length >= 8) forms.push(inside, inside.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** Every byte as two hex digits: joined, separated by blanks or colons, and escaped for URLs, mail and source code. */
function hexForms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8').toString('hex').match(/../g) ?? [];
  const forms = ['', ' ', ':', '-'].map((between) => bytes.join(between));
  for (const before of ['%', '=', '\\x', '0x']) forms.push(bytes.map((byte) => before + byte).join(''));
  return forms.flatMap((form) => [form, form.toUpperCase().replaceAll(/\\X|0X/g, (mark) => mark.toLowerCase())]);
}

/** Visible ASCII without spaces: the characters an HTTP header allows. */
export function isBearerToken(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}

const PREFIX = 'whsec_';
/** Prefixes of asymmetric keys, which are no shared secrets. */
const ASYMMETRIC = /^wh[sp]k_/;

/**
 * The signing key as Standard Webhooks libraries read it: `whsec_` with base64, or the bytes of any other text. Null
 * for base64 that those libraries refuse. Node.js would decode it leniently, to a key that no verifier has.
 */
export function decodeSigningKey(secret: string): Uint8Array | null {
  if (ASYMMETRIC.test(secret)) return null;
  if (!secret.startsWith(PREFIX)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(PREFIX.length).replace(/={0,2}$/, '');
  const key = Buffer.from(encoded, 'base64');
  return key.length > 0 && key.toString('base64').replace(/={1,2}$/, '') === encoded ? key : null;
}
