/** Telephone numbers in all the forms reports write them in. */
import { expect, test } from 'vitest';
import {
  toAbroadDigits,
  formatNumber,
  isSameNumber,
  maskNumber,
  toNumberKey,
} from '../../../src/core/text/phone-number.ts';

const FORMS = ['0412345209', '61412345209', '+61412345209', '0011 61 412 345 209', '0061412345209', '412345209'];

test('one number is the same in every form', () => {
  for (const form of FORMS) {
    expect(isSameNumber(form, '0412345209')).toBe(true);
    expect(formatNumber(form, '61')).toBe('0412 345 209');
    expect(maskNumber(form, '61')).toBe('04•• ••• 209');
    expect(toAbroadDigits(form, '61')).toBeNull();
  }
  expect(isSameNumber('0412345208', '0412345209')).toBe(false);
});

test('withheld callers are nobody, not one and the same', () => {
  for (const written of ['anonymous', '', 'Unavailable', '<b>0412345209</b>', '=1+1', '0412345209; drop']) {
    expect(toNumberKey(written)).toBeNull();
  }
  expect(isSameNumber('anonymous', 'anonymous')).toBe(false);
});

test('another country is told from service numbers of one’s own', () => {
  expect(toAbroadDigits('5371234567', '61')).toBe('5371234567');
  expect(toAbroadDigits('001153 7123 4567', '61')).toBe('5371234567');
  expect(toAbroadDigits('1300555019', '61')).toBeNull();
  expect(toAbroadDigits('1902345678', '61')).toBeNull();
  expect(toAbroadDigits('0391234567', '61')).toBeNull();
  expect(toAbroadDigits('1012', '61')).toBeNull();
});

test('masked numbers keep what tells them apart, and stay as they are', () => {
  expect(maskNumber('1300555019', '61')).toBe('1300 ••• 019');
  expect(maskNumber('+5371234567', '61')).toBe('+53 •• ••• 567');
  expect(maskNumber('1012', '61')).toBe('1012');
  const masked = maskNumber('0412345209', '61');
  expect([maskNumber(masked, '61'), formatNumber(masked, '61')]).toEqual([masked, masked]);
});
