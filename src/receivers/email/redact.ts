/**
 * Takes the password out of what a mail server says. A server may repeat what it was sent, and the text goes to logs
 * and to other receivers: besides the usual forms, whatever can be decoded is decoded and looked into.
 */
import { Buffer } from 'node:buffer';
import { secretForms } from '../../net/secret-forms.ts';

export type Redact = (text: string) => string;

const HIDDEN = '…';
/** Encodings of encodings are followed so far. */
const DEEPEST = 3;
const CODED = /[\w+/=%-]{6,}/g;

export function redactor(password: string): Redact {
  if (password === '') return (text) => text;
  const forms = [password, ...secretForms(password)].toSorted((a, b) => b.length - a.length);
  // A server may cut its line short in the middle of an echo: half a password is as good as a hint.
  const telling = Buffer.from(password).subarray(0, Math.max(4, Math.ceil(Buffer.byteLength(password) / 2)));
  return (text) => {
    const plain = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
    return plain.replaceAll(CODED, (coded) => (holds(Buffer.from(coded), telling, 0) ? HIDDEN : coded));
  };
}

function holds(bytes: Buffer, telling: Uint8Array, depth: number): boolean {
  if (depth > 0 && bytes.includes(telling)) return true;
  if (depth === DEEPEST) return false;
  const runs = bytes.toString('latin1').match(CODED) ?? [];
  return runs.some((run) => decodings(run).some((decoded) => holds(decoded, telling, depth + 1)));
}

/** Of base64 the beginning may be that of another word: each of its four alignments is tried. */
function decodings(run: string): Buffer[] {
  const aligned = [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64'));
  const hex = run.replaceAll(/[%=_-]/g, '');
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(hex);
  const escaped = /[%=+][0-9a-f]{2}/i.test(run)
    ? [
        Buffer.from(
          run.replaceAll(/[%=+]([0-9a-f]{2})/gi, (_, code: string) => byte(code)),
          'latin1',
        ),
      ]
    : [];
  return [...aligned, ...escaped, ...(isHex ? [Buffer.from(hex, 'hex')] : [])];
}

function byte(code: string): string {
  return String.fromCodePoint(Number.parseInt(code, 16));
}
