/**
 * A loss that a notice explains stays explained when the rest of its site goes after the other customers have lost their
 * phones: that all of them are at one site is chance, unless they are many.
 */
import { describe, expect, it } from 'vitest';
import type { AccountAlert } from '../../../src/core/correlation/account-alert.ts';
import { MINUTE, phones, town, type PaperAccount, type PaperTown } from './paper-town.ts';

const HERE = '203.0.113.7';
const ELSEWHERE = '203.0.113.8';
/** Registrations of the others last five minutes: after this time their losses are no evidence of a new one. */
const LATER = 40;

interface Night {
  all: PaperTown;
  acme: PaperAccount;
  pass(minutes: number): Promise<void>;
}

/** Four customers lose half of their phones, and the fifth its first one, at a site of `here` phones. */
async function openNight(here: number, elsewhere: number): Promise<Night> {
  const all = town();
  await all.sweepPage();
  const others = Array.from({ length: 4 }, (_, index) =>
    all.account(`customer-${index + 1}`, phones(100 * (index + 1), 10, `203.0.113.${100 + index}`)),
  );
  const acme = all.account('acme', [...phones(600, here, HERE), ...phones(700, elsewhere, ELSEWHERE)]);
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      all.pass(MINUTE);
      await all.sweepPage();
      for (const phone of others.flatMap((other) => other.phones)) {
        if (phone.up) phone.expiresInMs = (5 - ((minute + Number(phone.extension)) % 3)) * MINUTE;
      }
      for (const account of [...others, acme]) account.sweep(0);
    }
  };
  await pass(6);
  for (const other of others) other.lose(({ extension }) => Number(extension) % 100 < 5);
  acme.lose(({ extension }) => extension === '600');
  await pass(8);
  return { all, acme, pass };
}

async function loseTheRest({ acme, pass }: Night): Promise<AccountAlert[]> {
  await pass(LATER);
  acme.lose(({ address }) => address === HERE);
  await pass(8);
  return acme.state.alerts;
}

describe('the rest of a site, lost long after the other customers lost phones', () => {
  it('is explained by the notice that explained its first phone', async () => {
    const night = await openNight(5, 3);
    night.all.world.openNotice({ subject: 'Registrations failing', components: [2] });
    expect(await loseTheRest(night)).toMatchObject([{ number: 1, because: { kind: 'explained' } }]);
  });

  it('has a cause of its own where no notice explained it', async () => {
    const [alert, ...more] = await loseTheRest(await openNight(5, 3));
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ number: 1, because: { kind: 'named' } });
  });

  it('has a cause of its own where so many at one site are no chance', async () => {
    const night = await openNight(12, 20);
    night.all.world.openNotice({ subject: 'Registrations failing', components: [2] });
    expect(await loseTheRest(night)).toMatchObject([{ number: 1, because: { kind: 'named' } }]);
  });
});
