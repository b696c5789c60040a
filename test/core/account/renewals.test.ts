/** What renewals say of losses: for how long they may be one event, and that what hit a site hit nothing else. */
import { describe, expect, it } from 'vitest';
import {
  MINUTE,
  open,
  phones,
  SECOND,
  town,
  type PaperAccount,
  type PaperPhone,
  type PaperTown,
} from './paper-town.ts';

const [RICHMOND, CARLTON, GEELONG] = ['203.0.113.7', '203.0.113.8', '198.51.100.3'];

async function begin(given: readonly Omit<PaperPhone, 'up'>[]) {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', given);
  account.sweep(0);
  return { all, account };
}

/** A minute each. Registrations of five minutes are renewed after three. */
async function rounds(all: PaperTown, account: PaperAccount, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    all.pass(MINUTE);
    const minute = Math.round(all.now() / MINUTE);
    for (const phone of account.phones) {
      if (phone.up) phone.expiresInMs = (5 - ((minute + Number(phone.extension)) % 3)) * MINUTE;
    }
    await all.sweepPage();
    account.sweep(0);
  }
}

const three = [...phones(100, 20, RICHMOND), ...phones(200, 20, CARLTON), ...phones(300, 19, GEELONG)];
const isAt =
  (address: string | undefined) =>
  (phone: PaperPhone): boolean =>
    phone.address === address;

describe('a site that was dead while phones elsewhere renewed', () => {
  it('stays an event of its own when the provider takes the rest, and is not left over from that', async () => {
    const { all, account } = await begin(three);
    await rounds(all, account, 4);
    account.lose(isAt(RICHMOND));
    await rounds(all, account, 25);
    account.lose(() => true);
    const notice = all.world.openNotice({ subject: 'Registrations failing', components: [2] });
    await rounds(all, account, 8);
    expect(open(account)).toEqual(['Richmond', 'the account (explained)']);
    account.bringBack(({ address }) => address !== RICHMOND);
    all.world.closeNotice(notice);
    await rounds(all, account, 3);
    expect(open(account)).toEqual(['Richmond']);
    expect(all.events('outage.residual')).toEqual([]);
  });

  it('is part of the outage when nothing renewed after it', async () => {
    const { all, account } = await begin(three);
    await rounds(all, account, 4);
    account.lose(isAt(RICHMOND));
    await rounds(all, account, 1);
    account.lose(() => true);
    all.world.openNotice({ subject: 'Registrations failing', components: [2] });
    await rounds(all, account, 8);
    expect(open(account)).toEqual(['the account (explained)']);
  });

  it('does not make an outage of a few phones that are lost elsewhere much later', async () => {
    const { all, account } = await begin(three);
    await rounds(all, account, 4);
    account.lose(isAt(RICHMOND));
    await rounds(all, account, 25);
    account.lose(({ extension }) => ['200', '201', '300'].includes(extension));
    await rounds(all, account, 8);
    expect(open(account)).toEqual(['Richmond', 'single']);
    expect(all.events('outage.suspected')).toEqual([]);
  });
});

describe('registrations that are renewed more often than anybody looks', () => {
  const few = [...phones(100, 3, RICHMOND), ...phones(200, 3, CARLTON), ...phones(300, 2, GEELONG)];

  /** Each phone dies so many minutes after the one before, and stays listed for a look. */
  async function loseApart(minutes: number): Promise<PaperAccount> {
    const { all, account } = await begin(few);
    const look = async (count: number): Promise<void> => {
      for (let round = 0; round < count; round += 1) {
        all.pass(MINUTE);
        await all.sweepPage();
        account.sweep(0);
      }
    };
    for (const phone of account.phones) phone.expiresInMs = 43 * SECOND;
    await look(3);
    for (const extension of ['100', '200', '300', '301']) {
      const dead = account.phones.find((phone) => phone.extension === extension);
      if (dead === undefined) throw new Error(`there is no ${extension}`);
      dead.expiresInMs = -17 * SECOND;
      await look(1);
      dead.up = false;
      await look(minutes - 1);
    }
    await look(8);
    return account;
  }

  it('are lost for reasons of their own when they are lost far apart', async () => {
    expect(open(await loseApart(12))).toEqual(['single', 'single', 'single']);
  });

  it('are one event when they are lost together', async () => {
    expect(open(await loseApart(1))).toEqual(['the account (suspected)']);
  });
});
