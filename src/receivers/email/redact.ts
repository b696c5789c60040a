/**
 * Takes the password out of what a mail server says. A server may repeat what it was sent, and the text goes to logs
 * and to other receivers: besides the usual forms, whatever can be decoded is decoded and looked into. Where it can still be read
 * out of the answer as a whole, nothing but the answer's code is shown.
 */
import { Buffer } from 'node:buffer';
import { listSecretForms } from '../../net/secret-forms.ts';

export type Redact = (text: string) => string;

const HIDDEN = '…';
/** `535` */
const CODE = 3;
/** Encodings of encodings are followed so far. */
const DEEPEST = 3;
/** Fewer letters than these are found in any text. */
const SHORTEST_TELLING = 4;

const CODED = /[\w+/=%-]{6,}/g;

/** For an empty secret nothing is taken out. */
export function redactor(...secrets: readonly string[]): Redact {
  const each = secrets.filter((secret) => secret !== '').map(redactorOf);
  return (text) => each.reduce((rest, redact) => redact(rest), text);
}

function redactorOf(secret: string): Redact {
  const hide = hiding(secret);
  const betrays = betraying(secret);
  return (text) => {
    const shown = hide(text);
    // An echo may be broken over several lines, each of which begins with the code again.
    const joined = text.replaceAll(/[\r\n]+\d{3}[ -]|\s/g, '');
    const isBroken = shown === text && hide(joined) !== joined;
    return isBroken || betrays(shown) ? text.slice(0, CODE) : shown;
  };
}

function hiding(password: string): Redact {
  const forms = [password, ...listSecretForms(password)].toSorted((a, b) => b.length - a.length);
  // A server may cut its line short in the middle of an echo, and half a password is a hint.
  const telling = Buffer.from(password).subarray(0, Math.max(4, Math.ceil(Buffer.byteLength(password) / 2)));
  return (text) => {
    const plain = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
    return plain.replaceAll(CODED, (coded) => (holds(Buffer.from(coded), telling, 0) ? HIDDEN : coded));
  };
}

function holds(bytes: Buffer, telling: Uint8Array, depth: number): boolean {
  if (depth > 0 && (bytes.includes(telling) || withoutZeros(bytes).includes(telling))) return true;
  if (depth === DEEPEST) return false;
  const runs = bytes.toString('latin1').match(CODED) ?? [];
  return runs.some((run) => decodings(run).some((decoded) => holds(decoded, telling, depth + 1)));
}

/** Some write two bytes a letter, one of which is empty. */
function withoutZeros(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((each) => each > 0));
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

const CODE_POINTS = [
  [/[0-7]+/g, 8],
  [/\d+/g, 10],
  [/[\da-f]+/gi, 16],
] as const;

/**
 * Whether half of a password can be read in a text whose blanks, signs and capitals do not count: as it is, backwards,
 * with other letters in their place, or letter by letter as numbers, such as `&#112;` and `\u0070`.
 */
function betraying(password: string): (text: string) => boolean {
  const letters = bare(password);
  const telling = letters.slice(0, Math.max(SHORTEST_TELLING, Math.ceil(letters.length / 2)));
  if (telling.length < SHORTEST_TELLING) return () => false;
  return (text) => {
    const plain = bare(text.replaceAll(/[\r\n]+\d{3}[ -]/g, ''));
    const numbered = CODE_POINTS.map(([digits, base]) => bare(lettersOf(text.match(digits) ?? [], base)));
    return [plain, plain.split('').toReversed().join(''), rotated(plain), ...numbered].some((read) =>
      read.includes(telling),
    );
  };
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Moves each letter by half of the alphabet; done twice, it is the text again. */
function rotated(text: string): string {
  const half = 13;
  return text.replaceAll(/[a-z]/g, (letter) => letterAfter(letter, letter < 'n' ? half : -half));
}

function letterAfter(letter: string, by: number): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + by);
}

function lettersOf(numbers: readonly string[], base: number): string {
  const codes = numbers.map((digits) => Number.parseInt(digits, base));
  return codes.map((code) => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ')).join('');
}
