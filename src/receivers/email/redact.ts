/**
 * Redacts passwords in responses of a mail server. A server may echo what it received, and the text goes to logs and
 * other receivers. Besides the usual encodings, everything decodable is decoded and searched. If the password can still
 * be read from the response, only its code is shown.
 */
import { Buffer } from 'node:buffer';
import { listSecretForms } from '../../net/secret-forms.ts';

export type Redact = (text: string) => string;

const HIDDEN = '…';
/** Length of `535`. */
const CODE = 3;
/** Maximum depth of nested encodings. */
const DEEPEST = 3;
/** Shorter fragments occur in any text. */
const SHORTEST_TELLING = 4;

const CODED = /[\w+/=%-]{6,}/g;

/** An empty secret redacts nothing. */
export function createRedactor(...secrets: readonly string[]): Redact {
  const each = secrets.filter((secret) => secret !== '').map(createSecretRedactor);
  return (text) => each.reduce((rest, redact) => redact(rest), text);
}

function createSecretRedactor(secret: string): Redact {
  const hide = createHider(secret);
  const betrays = createLeakCheck(secret);
  return (text) => {
    const shown = hide(text);
    // An echo may span several lines, each of which begins with the code.
    const joined = text.replaceAll(/[\r\n]+\d{3}[ -]|\s/g, '');
    const isBroken = shown === text && hide(joined) !== joined;
    return isBroken || betrays(shown) ? text.slice(0, CODE) : shown;
  };
}

function createHider(password: string): Redact {
  const forms = [password, ...listSecretForms(password)].toSorted((a, b) => b.length - a.length);
  // A server may truncate its line within an echo; half a password is a leak too.
  const telling = Buffer.from(password).subarray(0, Math.max(4, Math.ceil(Buffer.byteLength(password) / 2)));
  return (text) => {
    const plain = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
    return plain.replaceAll(CODED, (coded) => (hasFragment(Buffer.from(coded), telling, 0) ? HIDDEN : coded));
  };
}

function hasFragment(bytes: Buffer, telling: Uint8Array, depth: number): boolean {
  if (depth > 0 && (bytes.includes(telling) || withoutZeros(bytes).includes(telling))) return true;
  if (depth === DEEPEST) return false;
  const runs = bytes.toString('latin1').match(CODED) ?? [];
  return runs.some((run) => listDecodings(run).some((decoded) => hasFragment(decoded, telling, depth + 1)));
}

/** UTF-16 text has a zero byte in each letter. */
function withoutZeros(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((each) => each > 0));
}

/** A run may begin with letters of another word, so all four base64 alignments are tried. */
function listDecodings(run: string): Buffer[] {
  const aligned = [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64'));
  const hex = run.replaceAll(/[%=_-]/g, '');
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(hex);
  const escaped = /[%=+][0-9a-f]{2}/i.test(run)
    ? [
        Buffer.from(
          run.replaceAll(/[%=+]([0-9a-f]{2})/gi, (_, code: string) => toCharacter(code)),
          'latin1',
        ),
      ]
    : [];
  return [...aligned, ...escaped, ...(isHex ? [Buffer.from(hex, 'hex')] : [])];
}

function toCharacter(code: string): string {
  return String.fromCodePoint(Number.parseInt(code, 16));
}

const CODE_POINTS = [
  [/[0-7]+/g, 8],
  [/\d+/g, 10],
  [/[\da-f]+/gi, 16],
] as const;

/**
 * Detects half of the password in a text without blanks, punctuation and case: plain, reversed, ROT13, or as character
 * codes such as `&#112;` and `\u0070`.
 */
function createLeakCheck(password: string): (text: string) => boolean {
  const letters = stripToLetters(password);
  const telling = letters.slice(0, Math.max(SHORTEST_TELLING, Math.ceil(letters.length / 2)));
  if (telling.length < SHORTEST_TELLING) return () => false;
  return (text) => {
    const plain = stripToLetters(text.replaceAll(/[\r\n]+\d{3}[ -]/g, ''));
    const numbered = CODE_POINTS.map(([digits, base]) =>
      stripToLetters(decodeCodePoints(text.match(digits) ?? [], base)),
    );
    return [plain, plain.split('').toReversed().join(''), rotate13(plain), ...numbered].some((read) =>
      read.includes(telling),
    );
  };
}

function stripToLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** ROT13. */
function rotate13(text: string): string {
  const half = 13;
  return text.replaceAll(/[a-z]/g, (letter) => moveLetter(letter, letter < 'n' ? half : -half));
}

function moveLetter(letter: string, by: number): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + by);
}

function decodeCodePoints(numbers: readonly string[], base: number): string {
  const codes = numbers.map((digits) => Number.parseInt(digits, base));
  return codes.map((code) => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ')).join('');
}
