/** Rows of reports, bill and voicemail as they may come: what can be read is read, and nothing is made up. */
import { describe, expect, test } from 'vitest';
import { NOT_AVAILABLE } from '../../src/core/observation/listing.ts';
import { readCall, readCallLine, readCharge, readMail, readSkillset } from '../../src/provider/call-rows.ts';
import { observeCalls, readEntries, type ReportWindow } from '../../src/provider/observe-calls.ts';
import { ProviderError } from '../../src/provider/errors.ts';
import { formatCsv } from '../../src/core/text/csv.ts';
import { formatNumber, maskNumber, toNumberKey } from '../../src/core/text/phone-number.ts';

const END = 1_774_317_600;
const WINDOW: ReportWindow = { from: (END - 3600) * 1000, to: END * 1000 };
const CALL = { signal: new AbortController().signal, urgency: 'background' as const };

const MISSED = {
  uuid: 'u1',
  end_epoch: END,
  duration: 20,
  from: '0412345209',
  external_did: '1300555019',
  dialplan_name: 'Main line',
  condition_name: 'Business hours',
  extensions: { '1001': { extension: '1001', hangup_cause: 'USER_NOT_REGISTERED' } },
};

function observe(answer: unknown) {
  return observeCalls({ readOnce: () => Promise.resolve({ value: answer }) }, 'missed', WINDOW, CALL);
}

describe('a report of missed calls', () => {
  test('is empty as an empty list or an empty map, and no report as text or null', async () => {
    expect(await observe([])).toEqual({ kind: 'observed', rows: [] });
    expect(await observe({})).toEqual({ kind: 'observed', rows: [] });
    expect(await observe(null)).toMatchObject({ kind: 'missed', code: 'contract_broken' });
    expect(await observe('<html>')).toMatchObject({ kind: 'missed', code: 'contract_broken' });
    expect(await observe({ error: 'no', message: 'no' })).toMatchObject({ kind: 'missed', code: 'contract_broken' });
  });

  test('with a million rows is refused before it is read, so that its window is halved', async () => {
    const rows: unknown[] = Array.from({ length: 1_000_000 });
    expect(await readEntries(rows, () => 1)).toMatchObject({ kind: 'missed', code: 'too_large' });
  });

  test('lacks rows of another time', async () => {
    const old = { ...MISSED, uuid: 'u2', end_epoch: END - 40 * 86_400 };
    const read = await observe({ a: MISSED, b: old, c: null, d: 'x' });
    expect(read.kind === 'observed' && read.rows.map(({ id }) => id)).toEqual(['u1']);
  });

  test.each([403, 404])('that answers %s is not available; 401 is refused access', async (status) => {
    const fail = (code: 'credentials' | 'not_found', with_: number) =>
      observeCalls(
        {
          readOnce: () =>
            Promise.reject(new ProviderError(code, { operation: 'reports' }, () => 'refused', { status: with_ })),
        },
        'missed',
        WINDOW,
        CALL,
      );
    expect(await fail(status === 404 ? 'not_found' : 'credentials', status)).toMatchObject({ code: NOT_AVAILABLE });
    expect(await fail('credentials', 401)).toMatchObject({ code: 'credentials' });
  });
});

describe('a call', () => {
  test.each([
    ['a map', MISSED.extensions, ['1001 USER_NOT_REGISTERED']],
    ['a list of rows', [{ extension: '1001', hangup_cause: 'no_answer' }], ['1001 NO_ANSWER']],
    ['a list of texts', ['1001'], ['1001 ']],
    ['null', null, []],
    ['an empty list', [], []],
  ])('names the extensions that rang as %s', (_, extensions, expected) => {
    const call = readCall('missed', 'k', { ...MISSED, extensions });
    expect(call?.rang.map(({ extension, cause }) => `${extension} ${cause}`)).toEqual(expected);
  });

  test('began so long before its end as it lasted, and never after it', () => {
    expect(readCall('missed', 'k', MISSED)).toMatchObject({ began: END - 20, ended: END, talk: 0 });
    expect(readCall('missed', 'k', { ...MISSED, duration: -50 })).toMatchObject({ began: END, ended: END });
    const answered = { id: 7, end_epoch: END, created_time: END + 600, talk_duration: 90, duration: 100 };
    expect(readCall('answered', null, answered)).toMatchObject({ began: END, talk: 0 });
    expect(readCall('missed', 'k', { ...MISSED, end_epoch: null })).toBeNull();
    expect(readCall('missed', 'k', { ...MISSED, end_epoch: 1e12 })).toBeNull();
  });

  test('of an integer without its zero is of the same caller', () => {
    const one = readCall('missed', 'k', { ...MISSED, from: 412_345_209 });
    expect(toNumberKey(one?.from ?? '')).toBe(toNumberKey('+61412345209'));
    expect(maskNumber(one?.from ?? '', '61')).toBe('04•• ••• 209');
  });

  test.each(['anonymous', 'Private', '', 'sip:0412345209@evil', '<b>0412345209</b>', '=1+2', '0'])(
    'from %j is from a withheld number',
    (from) => {
      const call = readCall('missed', 'k', { ...MISSED, from });
      expect(toNumberKey(call?.from ?? 'none')).toBeNull();
      expect(formatNumber(call?.from ?? '', '61')).toBe('withheld');
    },
  );

  test('has no control bytes in what is shown of it', () => {
    const call = readCall('missed', 'k', {
      ...MISSED,
      dialplan_name: 'Main\u0007\u001B[31m line',
      from: '0412\u0000345209',
    });
    expect(JSON.stringify(call)).not.toMatch(/\\u00(?:0|1)/);
  });
});

describe('a charge', () => {
  const row = {
    unique_id: 5,
    start_time: '2026-03-24 13:00:00',
    charge: 1.25,
    seconds: 60,
    from: '1',
    to: '2',
    uuid: 'u',
  };

  test.each([
    [1.25, 12_500],
    ['1.25', 12_500],
    [-2, -20_000],
    [0, 0],
    [0.0001, 1],
  ])('of %j is %i ten-thousandths', (charge, amount) => {
    expect(readCharge('outgoing', { ...row, charge })?.amount).toBe(amount);
  });

  test.each([null, 'free', '1e9', 1e12, Number.NaN, {}, [], true])('of %j is unknown, and not nothing', (charge) => {
    expect(readCharge('outgoing', { ...row, charge })).toBeNull();
  });

  test.each([null, 'yesterday', '2026-13-45 99:00:00', 1_774_317_600])('at %j is left out', (start) => {
    expect(readCharge('outgoing', { ...row, start_time: start })).toBeNull();
  });
});

test('other rows that lack what names them are left out', () => {
  expect(readMail({ uuid: 'v', created_epoch: String(END), username: '1001', cid_number: 412_345_209 })).toMatchObject({
    at: END,
    box: '1001',
  });
  expect(readMail({ uuid: 'v', created_epoch: 'x' })).toBeNull();
  expect(readSkillset({ id: 21, name: 'Support', agents: [] })).toEqual({ id: '21', name: 'Support', agents: [] });
  expect(readSkillset({ id: 21, name: 'Support', agents: null })?.agents).toEqual([]);
  expect(readSkillset({ agents: {} })).toBeNull();
  expect(readCallLine({ user_id: '1001' })).toBeNull();
  expect(readCallLine({ user_id: '1001', id: 40_001, tolls: null, voicemail_emails: null })).toMatchObject({
    hasMail: false,
    international: false,
  });
});

test('a number that is a formula is text in a spreadsheet', () => {
  expect(formatCsv([['=1+2', '+61412345209', '-1', '@x']])).toContain(`"'=1+2","'+61412345209","'-1","'@x"`);
});
