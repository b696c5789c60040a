/** What an alert is called is true now, wherever it is shown; only a conversation keeps the subject it opened with. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { findThread } from '../../../src/receivers/email/render.ts';
import { MINUTE, phones, town, type PaperAccount, type PaperTown, type SETTINGS } from './paper-town.ts';

const SUBJECT = 'Inbound calls failing in Melbourne';
const SETTING = { timezone: 'UTC', instance: 'hq', externalUrl: null };

async function begin(settings: Partial<typeof SETTINGS> = {}) {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', [...phones(100, 14, '203.0.113.7'), ...phones(200, 20, '203.0.113.8')], settings);
  account.sweep(0);
  return { all, account };
}

async function rounds(all: PaperTown, account: PaperAccount, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    all.pass(MINUTE);
    await all.sweepPage();
    account.sweep(0);
  }
}

function openTitles(account: PaperAccount): string[] {
  return account.state.alerts.filter(({ status }) => status === 'open').map(({ title }) => title);
}

describe('a title', () => {
  it('names the one phone that is left when the provider is done, not the trouble it was part of', async () => {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, account, 1);
    account.lose(() => true);
    await rounds(all, account, 7);
    expect(openTitles(account)).toEqual(['34 of 34 phones offline: Carlton 20/20, Richmond 14/14']);
    account.bringBack(({ extension }) => extension !== '104');
    all.world.closeNotice(notice);
    await rounds(all, account, 2);
    expect(openTitles(account)).toEqual(['Still offline: 104 (Desk 104)']);
    account.bringBack();
    await rounds(all, account, 1);
    expect(account.state.alerts.map(({ title }) => title)).toEqual(['Phones offline']);
    // All messages of the alert are one conversation all the same.
    const mails = all
      .people()
      .slice(2)
      .map((message) => findThread(message, composeContent(message, { ...SETTING, now: all.now() })));
    expect([...new Set(mails.map(({ subject }) => subject.replace(/^Re: /, '')))]).toEqual([`[Linewatch] ${SUBJECT}`]);
  });

  it('follows the names of notices and phones', async () => {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: 'Calls failing', components: [2] });
    await rounds(all, account, 1);
    all.world.updateNotice(notice, { subject: SUBJECT });
    await rounds(all, account, 1);
    expect(all.page.alerts.map(({ title }) => title)).toEqual([SUBJECT]);
    const last = all.people().at(-1);
    expect(last).toMatchObject({ alert: { title: SUBJECT }, subject: 'Calls failing' });
  });

  it('counts by site, those that are well as well', async () => {
    const { all, account } = await begin();
    account.lose(({ extension }) => extension !== '101');
    await rounds(all, account, 7);
    expect(openTitles(account)).toEqual(['33 of 34 phones offline: Carlton 20/20, Richmond 13/14']);
    account.bringBack(({ address }) => address === '203.0.113.7');
    await rounds(all, account, 1);
    expect(openTitles(account)).toEqual(['20 of 34 phones offline: Carlton 20/20, Richmond 0/14']);
  });

  it('begins with the customer where more than one account is watched', async () => {
    const { all, account } = await begin({ customer: 'Acme Pty Ltd' });
    account.lose(({ extension }) => extension === '104');
    await rounds(all, account, 7);
    expect(openTitles(account)).toEqual(['Acme Pty Ltd: Extension 104 (Desk 104) offline']);
    const customer = (source: string): string | null => (source === 'acme' ? 'Acme Pty Ltd' : null);
    const last = all.people().at(-1)!;
    const told = composeContent(last, { ...SETTING, now: all.now(), customer });
    expect(told.headline).toBe('Acme Pty Ltd: Extension 104 (Desk 104) is offline');
    expect(findThread(last, told).subject).toBe('[Linewatch] Acme Pty Ltd: Extension 104 (Desk 104) offline');
  });
});
