/** A phone is counted in one open alert: an alert leaves out the phones that another one reports, and says so. */
import { describe, expect, it } from 'vitest';
import { createOtherLossCounter } from '../../../src/core/correlation/other-losses.ts';
import type { PhonesDetails } from '../../../src/core/transition/details.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import {
  CARLTON,
  GEELONG,
  MINUTE,
  openThreeSites,
  RICHMOND,
  type PaperAccount,
  type PaperPhone,
  type PaperTown,
} from './paper-town.ts';

const isAt =
  (address: string | undefined) =>
  (phone: PaperPhone): boolean =>
    phone.address === address;

/** A minute each. Registrations of five minutes are renewed after three. */
async function pass({ all, account }: Scene, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    all.pass(MINUTE);
    const at = Math.round(all.now() / MINUTE);
    for (const phone of account.phones) {
      if (phone.up) phone.expiresInMs = (5 - ((at + Number(phone.extension)) % 3)) * MINUTE;
    }
    await all.sweepPage();
    account.sweep(0);
  }
}

interface Scene {
  all: PaperTown;
  account: PaperAccount;
  notice: number;
}

/** Richmond is lost, and after so many minutes all the others with a notice. */
async function loseAll(minutesBetween: number): Promise<Scene> {
  const { all, account } = await openThreeSites();
  await pass({ all, account, notice: 0 }, 4);
  account.lose(isAt(RICHMOND));
  await pass({ all, account, notice: 0 }, minutesBetween);
  account.lose(() => true);
  const notice = all.world.openNotice({ subject: 'Registrations failing', components: [2] });
  await pass({ all, account, notice }, 8);
  return { all, account, notice };
}

function headlines({ all }: Scene): string[] {
  const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
  return all.people().map((message) => composeContent(message, setting).headline);
}

function counts({ account }: Scene): string[] {
  return account.state.alerts.flatMap(({ status, absorbedBy, title, phones: counted }) =>
    status === 'open' && absorbedBy === undefined ? [`${title}: ${counted?.down}`] : [],
  );
}

describe('a site with an alert of its own', () => {
  it('is not counted by the larger loss beside it', async () => {
    const scene = await loseAll(25);
    const larger = headlines(scene).filter((headline) => headline.includes('others'));
    expect(larger).toEqual([
      expect.stringMatching(/^39 of 59 phones offline: Carlton 20\/20, Geelong 19\/19; 20 others offline \(#1\) — /),
    ]);
    expect(counts(scene)).toEqual([
      '20 of 20 phones at Richmond offline: 20',
      '39 of 59 phones offline: Carlton 20/20, Geelong 19/19: 39',
    ]);
  });

  it('is named by number while the others come back', async () => {
    const scene = await loseAll(25);
    scene.account.bringBack(isAt(CARLTON));
    await pass(scene, 3);
    expect(scene.all.events('registration.restored').at(-1)?.transition).toMatchObject({
      to: 20,
      details: { down: 39, others: [{ number: 1, phones: 20 }] },
    });
    scene.account.bringBack(isAt(GEELONG));
    await pass(scene, 3);
    expect(headlines(scene).at(-1)).toMatch(/^39 phones online again; 20 others still offline \(#1\)/);
  });

  it('is counted once it is part of the larger loss', async () => {
    const scene = await loseAll(1);
    expect(headlines(scene).filter((headline) => headline.includes('others'))).toEqual([]);
    expect(counts(scene)).toEqual(['59 of 59 phones offline: Richmond 20/20, Carlton 20/20, Geelong 19/19: 59']);
  });
});

const ALL: PhonesDetails = {
  domain: { kind: 'account', name: 'the account', address: null },
  total: 59,
  down: 59,
  phones: [],
  more: 0,
  sites: [],
  since: null,
};

it('a loss that was moved into the same alert is its own', async () => {
  const { account } = await loseAll(25);
  const { alerts, snapshot } = account.state;
  const [site, larger] = alerts.filter(({ status }) => status === 'open');
  if (site === undefined || larger === undefined) throw new Error('there are two open alerts');
  const count = (id: string): unknown =>
    createOtherLossCounter(
      alerts.map((alert) => (alert === site ? { ...alert, id } : alert)),
      snapshot.phones ?? [],
      account.settings.sites,
    )(ALL, larger).others;
  expect(count(site.id)).toEqual([{ alert: site.id, number: site.number, phones: 20 }]);
  expect(count(larger.id)).toBe(undefined);
});
