/** The alphabet of SMS (3GPP TS 23.038): one character outside it more than halves what a message holds. */

/** Septets of one part. */
export const GSM7_PART = 160;

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each takes two septets. */
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

/** The same in that alphabet: signs by those that look like them, letters without their marks, else `?`. */
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

/** Septets; only of a text in that alphabet. */
export function countSeptets(text: string): number {
  let size = 0;
  for (const char of text) size += EXTENDED.has(char) ? 2 : 1;
  return size;
}
