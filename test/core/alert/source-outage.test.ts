/** What is said of sources that cannot be read at the same time. */
import { expect, test } from 'vitest';
import { findSourceOutage, formatOutageTitle } from '../../../src/core/alert/source-outage.ts';
import { change, NOW } from '../../support/messages.ts';

type Part = Parameters<typeof findSourceOutage>[0][number];

function partOf(source: string, codes: readonly (string | null)[], base_url = `https://${source}.example.com`): Part {
  const lacks = codes.map((code) => ({ part: code, code, why: 'why' }));
  const details = { base_url, since: null, reasons: [], lacks };
  const lastChange = change('source.unreachable', 'source', { from: null, to: 'why', details }, 'open', NOW, source);
  return { id: '1', source, status: 'open', family: 'source', lastChange, told: [] };
}

function titleOf(...parts: Part[]): string | null {
  const outage = findSourceOutage(parts);
  return outage === null ? null : formatOutageTitle(outage);
}

test('sources that answer with an error of their own are reached', () => {
  const [page, account] = [partOf('page', ['server_error']), partOf('account', ['server_error', 'server_error'])];
  expect(titleOf(page, account)).toBe('Neither source can be read');
  expect(titleOf(page, account, partOf('other', ['server_error']))).toBe('None of the 3 sources can be read');
});

test.each([[['timeout']], [['unreachable']], [['server_error', 'timeout']], [[null]], [[]]])(
  'where one fails with %j, Linewatch may be the reason',
  (codes) => {
    expect(titleOf(partOf('page', ['server_error']), partOf('account', codes))).toBe(
      'Linewatch itself cannot reach anything',
    );
  },
);

test('sources behind one origin are named by it, however they fail', () => {
  for (const code of ['server_error', 'timeout']) {
    const [one, two] = ['one', 'two'].map((name) => partOf(name, [code], 'https://api.example.com/v1'));
    if (one === undefined || two === undefined) throw new TypeError('two parts were made');
    expect(titleOf(one, two)).toBe('2 sources behind https://api.example.com are unreachable');
  }
});
