/** A phone that is lost a second time within an hour: its messages say so, so that no two of them read alike. */
import { expect, test } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { phones, RICHMOND, town } from './paper-town.ts';

/** Headlines about extension 100, which is lost twice for eight minutes; it is up for so many minutes in between. */
function readHeadlines(minutesBetween: number): string[] {
  const all = town((source) => (source === 'provider' ? [] : ['people']));
  const account = all.account('acme', phones(100, 10, RICHMOND));
  account.sweep(0);
  const pass = (minutes: number): void => {
    for (let minute = 0; minute < minutes; minute += 1) account.sweep();
  };
  for (const upFor of [minutesBetween, 10]) {
    account.lose(({ extension }) => extension === '100');
    pass(8);
    account.bringBack();
    pass(upFor);
  }
  const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
  return all
    .people()
    .flatMap((message) => (message.alert.number === null ? [] : [composeContent(message, setting).headline]));
}

test('is said to be lost, and back, for the second time', () => {
  expect(readHeadlines(10)).toEqual([
    'Extension 100 (Desk 100) is offline',
    'Extension 100 (Desk 100) is online again — after 8 min',
    'Extension 100 (Desk 100) is offline for the 2nd time within an hour',
    'Extension 100 (Desk 100) is online again, for the 2nd time within an hour — after 8 min',
  ]);
});

test('is lost as any other after more than an hour', () => {
  const [first, second, ...later] = readHeadlines(70);
  expect(later).toEqual([first, second]);
});
