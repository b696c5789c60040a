/**
 * An account that takes several parts in one alert, one after the other: each receiver has one thread about it, which
 * opens once. A second mail that opens it would have the identity of the first, and mailboxes hide one of the two.
 */
import { describe, expect, it } from 'vitest';
import { createSeenAlert } from '../../../src/core/alert/shared-alert.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { findThread } from '../../../src/receivers/email/render.ts';
import { MINUTE, phones, town, type PaperAccount, type PaperTown } from './paper-town.ts';

/** A customer whose own receiver reads nothing of the page, and two others. */
async function openFirm(): Promise<{ all: PaperTown; customers: readonly PaperAccount[] }> {
  const all = town((source) => (source === 'provider' ? ['duty'] : ['duty', `people of ${source}`]));
  await all.sweepPage();
  const customers = ['acme', 'zenith', 'other'].map((name, index) =>
    all.account(name, [
      ...phones(100 * (index + 1), 5, `203.0.113.${100 + index}`),
      ...phones(100 * (index + 1) + 50, 5, `198.51.100.${100 + index}`),
    ]),
  );
  for (const customer of customers) customer.sweep(0);
  return { all, customers };
}

type Firm = Awaited<ReturnType<typeof openFirm>>;

/** What a receiver reads in these minutes: kicker, headline, and the identity of the mail where it opens a thread. */
async function read({ all, customers }: Firm, receiver: string, minutes: number): Promise<string[]> {
  const lines: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = all.people().length;
    all.pass(MINUTE);
    await all.sweepPage();
    for (const customer of customers) customer.sweep(0);
    for (const message of all.people().slice(before)) {
      if (message.receiver !== receiver || message.alert.number === null) continue;
      const reading = {
        alert: message.alert.id,
        receiver,
        sources: new Set(message.changes.map(({ transition }) => transition.source)),
      };
      const accounts = customers.map(({ name, state: { alerts } }) => ({ name, alerts }));
      const seen = createSeenAlert(reading, accounts, new Map());
      const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
      const content = composeContent({ ...message, seen }, setting);
      const opens = findThread(message, content).roots.length === 0 ? ' (opens a thread)' : '';
      lines.push(`${content.kicker.split(' · ').slice(0, 3).join(' · ')}: ${content.headline}${opens}`);
    }
  }
  return lines;
}

function lose({ customers: [acme] }: Firm, ...extensions: string[]): void {
  acme?.lose(({ extension }) => extensions.includes(extension));
}

async function loseThreeByNotice(firm: Firm): Promise<string[]> {
  firm.all.world.openNotice({ subject: 'Registrations failing', components: [2] });
  await read(firm, 'people of acme', 2);
  firm.customers[1]?.lose(({ extension }) => ['200', '250'].includes(extension));
  lose(firm, '100', '150');
  return await read(firm, 'people of acme', 8);
}

describe('an account that takes another part in the same alert', () => {
  it('goes on in the thread of its receivers while the first part is open', async () => {
    const firm = await openFirm();
    expect(await loseThreeByNotice(firm)).toEqual([
      expect.stringMatching(/^#1 · Critical · New: .* \(opens a thread\)$/),
    ]);
    await read(firm, 'people of acme', 80);
    firm.customers[1]?.lose(({ extension }) => ['201', '251'].includes(extension));
    lose(firm, '101');
    const later = await read(firm, 'people of acme', 30);
    expect(later).toEqual([expect.stringMatching(/^#1 · Critical · Update: Extension 101 .* is offline$/)]);
  });

  it('opens again for its receivers where the first part is over', async () => {
    const firm = await openFirm();
    await loseThreeByNotice(firm);
    firm.customers[0]?.bringBack();
    expect(await read(firm, 'people of acme', 5)).toEqual([expect.stringMatching(/^#1 · Resolved · was critical: /)]);
    firm.customers[1]?.lose(({ extension }) => ['201', '251'].includes(extension));
    lose(firm, '102', '152');
    const later = await read(firm, 'people of acme', 10);
    expect(later).toEqual([expect.stringMatching(/^#1 · Critical · Open again: Extensions 102 .* are offline$/)]);
  });

  it('is an update for whoever reads that the alert went on', async () => {
    const firm = await openFirm();
    await loseThreeByNotice(firm);
    firm.customers[0]?.bringBack();
    await read(firm, 'duty', 5);
    firm.customers[1]?.lose(({ extension }) => ['201', '251'].includes(extension));
    lose(firm, '102', '152');
    const later = await read(firm, 'duty', 10);
    expect(later.join('\n')).not.toMatch(/New|Open again|opens a thread/);
    expect(later.length).toBeGreaterThan(0);
  });

  it('is new for a receiver that was not notified of the first', async () => {
    const firm = await openFirm();
    await loseThreeByNotice(firm);
    firm.customers[2]?.lose(({ extension }) => ['300', '350'].includes(extension));
    expect(await read(firm, 'people of other', 10)).toEqual([
      expect.stringMatching(/^#1 · Critical · New: .* \(opens a thread\)$/),
    ]);
  });
});
