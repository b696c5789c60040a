/**
 * The GSM 7-bit alphabet of SMS (3GPP TS 23.038). One character outside it more than halves the capacity of a message.
 */

/** Septets per message part. */
export const GSM7_PART = 160;

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Characters that take two septets. */
const EXTENDED = new Set('\f^{}\\[~]|€');

const ALIKE: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '…': '...',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '`': "'",
  '→': '->',
  '•': '-',
  '·': '-',
  '×': 'x',
  '\t': ' ',
};

/** Converts to the alphabet: similar signs, letters without accents, else `?`. */
export function toGsm7(text: string): string {
  let plain = '';
  for (const char of text) plain += isGsm7(char) ? char : (ALIKE[char] ?? unmarked(char));
  return plain;
}

function unmarked(char: string): string {
  const bare = [...char.normalize('NFKD')].filter((each) => !/\p{M}/u.test(each));
  return bare.length > 0 && bare.every(isGsm7) ? bare.join('') : /\p{Z}/u.test(char) ? ' ' : '?';
}

function isGsm7(char: string): boolean {
  return BASIC.has(char) || EXTENDED.has(char);
}

/** Septets of a text that is already in the alphabet. */
export function countSeptets(text: string): number {
  let size = 0;
  for (const char of text) size += EXTENDED.has(char) ? 2 : 1;
  return size;
}
