/**
 * Telephone numbers as reports write them: with or without `+`, `00`, `0011`, the leading zero or the country. Two of
 * them are the same caller when their nine last digits are.
 */
import { findCallingCode } from './calling-codes.ts';

/** Digits that tell two subscribers apart in every form of a number. */
const COMPARED = 9;
/** Fewer digits are an extension, an emergency number or nothing. */
const FEWEST_OF_A_SUBSCRIBER = 6;
/** ITU-T E.164 allows 15 digits after the prefix of international calls. */
const MOST_DIGITS = 19;
const HIDDEN = '•';

/** The digits of a number as it came, without `+`; empty for a withheld caller. */
function readDigits(written: string): string {
  // Nearly all numbers are plain digits.
  if (/^[0-9]{1,19}$/.test(written)) return written;
  const digits = written.replace(/[^0-9]/g, '');
  // `anonymous`, markup or a formula is not a number, whatever digits it holds.
  const isNumber = /^\s*\+?[0-9() .\-/]{1,40}\s*$/.test(written) && digits.length <= MOST_DIGITS;
  return isNumber ? digits : '';
}

/** Null for a withheld caller: two of them are not the same person. */
export function toNumberKey(number: string): string | null {
  const digits = readDigits(number);
  if (digits === '') return null;
  return withoutPrefix(digits).slice(-COMPARED);
}

export function isSameNumber(one: string, other: string): boolean {
  const key = toNumberKey(one);
  return key !== null && key === toNumberKey(other);
}

/** `0011`, `00` and the trunk zero are how a number is dialled, and no part of it. */
function withoutPrefix(digits: string): string {
  if (!digits.startsWith('0')) return digits;
  return digits.replace(/^(?:0011|00|0)/, '');
}

/**
 * The number with its country and without a prefix, such as `5371234567`; null for a number of one's own country, an
 * extension or a service number such as 1300 or 13.
 */
export function toAbroadDigits(number: string, country: string): string | null {
  const digits = readDigits(number);
  const isWritten = number.trimStart().startsWith('+') || /^(?:0011|00)/.test(digits);
  const whole = withoutPrefix(digits);
  if (isWritten) return whole.startsWith(country) || whole.length < FEWEST_OF_A_SUBSCRIBER ? null : whole;
  if (digits.startsWith('0') || whole.startsWith(country)) return null;
  const isService = whole.startsWith('1') && whole.length <= 10;
  return whole.length >= 10 && !isService ? whole : null;
}

export function toNationalForm(number: string, country: string): string {
  const digits = readDigits(number);
  if (digits === '') return 'withheld';
  const abroad = toAbroadDigits(number, country);
  if (abroad !== null) return `+${abroad}`;
  const whole = withoutPrefix(digits);
  const isOwn = country !== '' && whole.startsWith(country) && whole.length - country.length >= 8;
  const own = isOwn ? whole.slice(country.length) : whole;
  const isWithoutZero = own.length === COMPARED && !own.startsWith('1');
  return isOwn || isWithoutZero ? dialled(own, `0${own}`) : digits;
}

/** 1300 and 13 are dialled without a zero. */
function dialled(own: string, otherwise: string): string {
  return /^1[38]/.test(own) ? own : otherwise;
}

/** `0412 345 209`, `1300 555 019`, `+53 7123 4567`: in groups, for reading. */
export function formatNumber(number: string, country: string): string {
  // Masked already: it has its groups.
  if (number.includes(HIDDEN)) return number;
  return grouped(toNationalForm(number, country));
}

/** `04•• ••• 209`: enough to know a number again, and too little to call it. Extensions are shown. */
export function maskNumber(number: string, country: string): string {
  if (number.includes(HIDDEN)) return number;
  const form = toNationalForm(number, country);
  const digits = form.replace(/[^0-9]/g, '').length;
  if (digits < FEWEST_OF_A_SUBSCRIBER) return form;
  const shown = /^1[38]00/.test(form) ? 4 : form.startsWith('+') ? findCallingCode(form.slice(1)).length : 2;
  let at = 0;
  const masked = form.replace(/[0-9]/g, (digit) => {
    at += 1;
    return at <= shown || at > digits - 3 ? digit : HIDDEN;
  });
  return grouped(masked);
}

function grouped(form: string): string {
  const code = form.startsWith('+') ? findCallingCode(form.slice(1)) : '';
  const rest = code === '' ? form : form.slice(1 + code.length);
  if (!/^[0-9•]+$/.test(rest) || rest.length < FEWEST_OF_A_SUBSCRIBER) return form;
  const first = rest.length % 3 === 1 ? 4 : rest.length % 3 === 0 ? 3 : 2;
  const parts = [rest.slice(0, first), ...(rest.slice(first).match(/.{3}/g) ?? [])];
  return code === '' ? parts.join(' ') : `+${code} ${parts.join(' ')}`;
}
