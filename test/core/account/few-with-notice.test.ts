/**
 * Few phones at several sites, lost within ten minutes while a notice about phones is open, are lost by what it reports:
 * they have no alert of their own. Without the notice, at one site, or one after the other over an hour, they have one.
 */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { MINUTE, phones, town, type PaperAccount, type PaperTown } from './paper-town.ts';

const ADDRESS = '203.0.113.7';

interface Firm {
  all: PaperTown;
  customers: readonly PaperAccount[];
}

/** Customers of ten phones at one site each, unless told otherwise. */
async function openFirm(size = 5, each = 10): Promise<Firm> {
  const all = town();
  await all.sweepPage();
  const customers = Array.from({ length: size }, (_, index) =>
    all.account(`customer-${index + 1}`, phones(100 * (index + 1), each, `203.0.113.${100 + index}`)),
  );
  for (const customer of customers) customer.sweep(0);
  return { all, customers };
}

async function pass({ all, customers }: Firm, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    all.pass(MINUTE);
    await all.sweepPage();
    for (const customer of customers) customer.sweep(0);
  }
}

function openNotice({ all }: Firm, component = 2): void {
  all.world.openNotice({ subject: 'Registrations failing', components: [component] });
}

/** The first phones of these customers, by their position, are lost. */
function lose({ customers }: Firm, ...which: number[]): void {
  for (const index of which) {
    const customer = customers[index];
    const first = customer?.phones.find(({ up }) => up)?.extension;
    customer?.lose(({ extension }) => extension === first);
  }
}

/** Numbers and headlines, without the notice's own first message. */
function readings({ all }: Firm): string[] {
  const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
  return all
    .people()
    .flatMap((message) =>
      message.alert.number === null || message.alert.source === 'provider'
        ? []
        : [`#${message.alert.number} ${composeContent(message, setting).headline}`],
    );
}

describe('with a notice about phones open', () => {
  it('three phones of three customers are part of its alert from their first message on', async () => {
    const firm = await openFirm();
    openNotice(firm);
    await pass(firm, 2);
    lose(firm, 0, 1, 2);
    await pass(firm, 8);
    expect(readings(firm)).toEqual([
      expect.stringMatching(/^#1 Extension 100 .* is offline$/),
      expect.stringMatching(/^#1 Extension 200 .* is offline$/),
      expect.stringMatching(/^#1 Extension 300 .* is offline$/),
    ]);
  });

  it('three phones at two sites of one account are part of it, too', async () => {
    const all = town();
    await all.sweepPage();
    const account = all.account('acme', [...phones(100, 10, ADDRESS), ...phones(200, 10, '203.0.113.8')]);
    const firm = { all, customers: [account] };
    account.sweep(0);
    openNotice(firm);
    await pass(firm, 2);
    account.lose(({ extension }) => ['100', '101', '200'].includes(extension));
    await pass(firm, 8);
    expect(new Set(readings(firm).map((line) => line.split(' ')[0]))).toEqual(new Set(['#1']));
  });

  it('two phones have alerts of their own', async () => {
    const firm = await openFirm();
    openNotice(firm);
    await pass(firm, 2);
    lose(firm, 0, 1);
    await pass(firm, 8);
    expect(readings(firm)).toEqual([expect.stringMatching(/^#2 /), expect.stringMatching(/^#3 /)]);
  });

  it('three phones over an hour have alerts of their own', async () => {
    const firm = await openFirm();
    openNotice(firm);
    for (const index of [0, 1, 2]) {
      lose(firm, index);
      await pass(firm, 20);
    }
    expect(new Set(readings(firm).map((line) => line.split(' ')[0]))).toEqual(new Set(['#2', '#3', '#4']));
  });

  it('a whole site is no evidence for one phone elsewhere', async () => {
    const firm = await openFirm();
    openNotice(firm);
    await pass(firm, 2);
    firm.customers[0]?.lose(() => true);
    lose(firm, 1);
    await pass(firm, 8);
    expect(readings(firm).at(-1)).toMatch(/^#2 Extension 200 /);
  });

  it('three phones among a thousand are chance', async () => {
    const firm = await openFirm(5, 200);
    openNotice(firm);
    await pass(firm, 2);
    lose(firm, 0, 1, 2);
    await pass(firm, 8);
    expect(new Set(readings(firm).map((line) => line.split(' ')[0]))).toEqual(new Set(['#2', '#3', '#4']));
  });

  it('a notice about text messages explains none of them', async () => {
    const firm = await openFirm();
    openNotice(firm, 3);
    await pass(firm, 2);
    lose(firm, 0, 1, 2);
    await pass(firm, 8);
    expect(new Set(readings(firm).map((line) => line.split(' ')[0]))).toEqual(new Set(['#2', '#3', '#4']));
  });
});

it('without a notice each has an alert of its own', async () => {
  const firm = await openFirm();
  await pass(firm, 2);
  lose(firm, 0, 1, 2);
  await pass(firm, 8);
  expect(new Set(readings(firm).map((line) => line.split(' ')[0]))).toEqual(new Set(['#1', '#2', '#3']));
});

it('a second phone of an alert is told a minute later, with those that follow it meanwhile', async () => {
  const firm = await openFirm(1, 20);
  lose(firm, 0);
  await pass(firm, 1);
  lose(firm, 0);
  const told: string[][] = [];
  for (let minute = 0; minute < 9; minute += 1) {
    const before = readings(firm).length;
    await pass(firm, 1);
    told.push(readings(firm).slice(before));
  }
  expect(told.filter((some) => some.length > 0)).toEqual([
    [expect.stringMatching(/^#1 Extension 100 .* is offline$/)],
    [expect.stringMatching(/^#1 Extension 101 .* is offline$/)],
  ]);
  const [first, second] = told.flatMap((some, minute) => (some.length > 0 ? [minute] : []));
  expect((second ?? 0) - (first ?? 0)).toBe(2);
});

describe('a suspicion of the provider', () => {
  /** Changes that people read of the first customer, a list for each message. */
  const ofFirst = ({ all }: Firm): string[][] =>
    all.people().flatMap((message) => {
      const own = message.changes.filter(({ transition }) => transition.source === 'customer-1');
      return own.length === 0 ? [] : [own.map(({ transition }) => transition.kind)];
    });

  it('about one phone of ten comes with the next message', async () => {
    const firm = await openFirm();
    lose(firm, 0);
    await pass(firm, 7);
    for (let phone = 0; phone < 3; phone += 1) lose(firm, 1, 2, 3);
    await pass(firm, 8);
    expect(ofFirst(firm).slice(1)).toEqual([['registration.lost']]);
    lose(firm, 0, 0);
    await pass(firm, 8);
    expect(ofFirst(firm)[2]).toContain('outage.suspected');
  });

  it('about one phone of two is told at once', async () => {
    const firm = await openFirm(5, 2);
    lose(firm, 0);
    await pass(firm, 7);
    lose(firm, 1, 1, 2, 2, 3, 3);
    await pass(firm, 8);
    expect(ofFirst(firm).flat()).toContain('outage.suspected');
  });
});
