/** Secrets: the ways in which they may stand in a text, and which of them can be used for what. */
import { Buffer } from 'node:buffer';

/** Shorter values cannot be told from ordinary text: hiding every `1` would hide everything and nothing. */
export const SHORTEST_SECRET = 4;

/**
 * As it is, escaped for addresses, JSON and HTML, and in base64 and hex; forms too short to be told from chance are
 * left out.
 */
export function listSecretForms(value: string): string[] {
  const percent = encodeURIComponent(value.toWellFormed());
  const once = JSON.stringify(value).slice(1, -1);
  const forms = [
    value,
    percent,
    lowerEscapes(percent),
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

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * Base64 of the value alone, and what of it survives inside the base64 of a longer text (`user:password` of basic
 * authentication): three alignments, each without the characters it shares with its neighbours.
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

/** Every byte as two digits: alone, between blanks or colons, and as the escapes of addresses, mail and source code. */
function hexForms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8').toString('hex').match(/../g) ?? [];
  const forms = ['', ' ', ':', '-'].map((between) => bytes.join(between));
  for (const before of ['%', '=', '\\x', '0x']) forms.push(bytes.map((byte) => before + byte).join(''));
  return forms.flatMap((form) => [form, form.toUpperCase().replaceAll(/\\X|0X/g, (mark) => mark.toLowerCase())]);
}

/** What a header can hold: visible ASCII, without a space. */
export function isBearerToken(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}

const PREFIX = 'whsec_';
/** Keys of the specification's asymmetric signatures, which are another thing than a shared secret. */
const ASYMMETRIC = /^wh[sp]k_/;

/**
 * The key a webhook's signature is made with, as every library of Standard Webhooks reads it:
 * `whsec_` and base64, or any other text for its bytes. Null for what no library could verify: they refuse to decode it,
 * while the platform decodes anything and would sign with a key that nobody else comes to.
 */
export function decodeSigningKey(secret: string): Uint8Array | null {
  if (ASYMMETRIC.test(secret)) return null;
  if (!secret.startsWith(PREFIX)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(PREFIX.length).replace(/={0,2}$/, '');
  const key = Buffer.from(encoded, 'base64');
  return key.length > 0 && key.toString('base64').replace(/={1,2}$/, '') === encoded ? key : null;
}
