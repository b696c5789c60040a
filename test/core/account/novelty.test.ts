/** New firmware and networks of phones that move: one message in the morning. What may be somebody else: at once. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { selectNextSending } from '../../../src/core/outbox/queue.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { HOUR, MINUTE, phones, town, type PaperAccount, type PaperTown } from './paper-town.ts';

const OLD = 'Yealink SIP-T46S 66.86.0.15';
const NEW = 'Yealink SIP-T46S 66.87.0.1';
/** The day begins at 12:00, local time. */
const MORNING_MS = 20 * HOUR;

function office(): { all: PaperTown; account: PaperAccount; start: number } {
  const all = town();
  const account = all.account('head-office', [
    ...phones(100, 12, '203.0.113.7', OLD),
    ...phones(200, 11, '203.0.113.8', OLD),
    ...phones(300, 2, '198.51.100.3', 'Zoiper rv2.10.6.2'),
  ]);
  const start = all.now();
  account.sweep(0);
  return { all, account, start };
}

/** One phone a minute is given the new firmware. */
function rollOut(account: PaperAccount, agent = NEW): void {
  account.phones.forEach((phone, index) => {
    if (!phone.agent.startsWith('Yealink')) return;
    account.phones[index] = { ...phone, agent };
    account.sweep();
  });
}

function until({ all, account, start }: ReturnType<typeof office>, afterMs: number): void {
  while (all.now() < start + afterMs) account.sweep(Math.min(30 * MINUTE, start + afterMs - all.now()));
}

function news(all: PaperTown): Message[] {
  return all.people().filter(({ changes }) => changes.some(({ transition }) => transition.kind !== 'source.baseline'));
}

function read(message: Message, now: number) {
  const customer = (source: string): string => source.toUpperCase();
  return composeContent(message, {
    timezone: 'Australia/Melbourne',
    instance: 'hq',
    externalUrl: null,
    now,
    customer,
  });
}

describe('a round of firmware', () => {
  it('is one message in the morning, with how many where; programs hear of each at once', () => {
    const given = office();
    rollOut(given.account);
    expect(given.all.events('registration.device')).toHaveLength(23);
    expect(news(given.all)).toEqual([]);
    until(given, MORNING_MS - MINUTE);
    expect(news(given.all)).toEqual([]);
    until(given, MORNING_MS);
    const [message, ...more] = news(given.all);
    expect(more).toEqual([]);
    expect(read(message!, given.all.now()).headline).toContain(
      '23 phones run Yealink SIP-T46S 66.87.0.1 now (66.86.0.15 before): Richmond 12, Carlton 11',
    );
    until(given, 2 * MORNING_MS + 8 * HOUR);
    expect(news(given.all)).toHaveLength(1);
  });

  it('survives a restart, and is told once', () => {
    const given = office();
    rollOut(given.account);
    given.account.restart();
    until(given, MORNING_MS + MINUTE);
    given.account.restart();
    until(given, MORNING_MS + 2 * HOUR);
    expect(news(given.all).flatMap(({ changes }) => changes)).toHaveLength(23);
  });

  it('in two steps is told from the first to the last', () => {
    const given = office();
    rollOut(given.account);
    rollOut(given.account, 'Yealink SIP-T46S 66.88.0.2');
    until(given, MORNING_MS);
    expect(news(given.all)).toHaveLength(1);
    expect(read(news(given.all)[0]!, given.all.now()).headline).toContain(
      '23 phones run Yealink SIP-T46S 66.88.0.2 now (66.86.0.15 before)',
    );
  });

  it('and the networks of softphones are one message', () => {
    const given = office();
    rollOut(given.account);
    for (const [index, phone] of given.account.phones.entries()) {
      if (phone.agent.startsWith('Zoiper')) given.account.phones[index] = { ...phone, address: `100.64.${index}.9` };
    }
    given.account.sweep();
    until(given, MORNING_MS);
    const all = news(given.all);
    expect(all).toHaveLength(1);
    const { headline, lists } = read(all[0]!, given.all.now());
    expect(headline).toMatch(/23 phones run .*; 2 phones have new networks$/);
    expect(lists.find(({ label }) => label === 'New networks')?.items).toEqual([
      '300 (Desk 300): 100.64.23.0/24',
      '301 (Desk 301): 100.64.24.0/24',
    ]);
  });

  it('is not kept back for days when the clock is put back', () => {
    const given = office();
    rollOut(given.account);
    given.all.pass(-5 * 24 * HOUR);
    given.account.sweep();
    expect(news(given.all)).toHaveLength(1);
  });

  it('at several customers is one message to whoever reads of all', () => {
    const all = town();
    const start = all.now();
    const accounts = ['acme', 'bolt'].map((name) => all.account(name, phones(100, 4, '203.0.113.7', OLD)));
    for (const account of accounts) account.sweep(0);
    for (const account of accounts) rollOut(account);
    all.pass(start + MORNING_MS - all.now());
    accounts[0]!.tick();
    all.pass(10_000);
    accounts[1]!.tick();
    const waiting = news(all);
    expect(waiting).toHaveLength(2);
    const sending = selectNextSending(waiting, {
      audience: 'people',
      batch: 1,
      alerts: Infinity,
      now: all.now() + MINUTE,
      bundles: [],
      sources: ['acme', 'bolt'],
      isHeld: () => false,
      isTurn: () => true,
      isBacklog: () => false,
      wasHeld: () => false,
    });
    expect(sending?.settles).toHaveLength(2);
    expect(read(sending!.messages[0]!, all.now()).headline).toContain(
      '8 phones run Yealink SIP-T46S 66.87.0.1 now (66.86.0.15 before): ACME 4, BOLT 4',
    );
  });
});

describe('what may be somebody else', () => {
  const change = (
    given: ReturnType<typeof office>,
    to: { address?: string; agent?: string },
    extension = '105',
  ): void => {
    const index = given.account.phones.findIndex((phone) => phone.extension === extension);
    given.account.phones[index] = { ...given.account.phones[index]!, ...to };
    given.account.sweep();
  };

  it('is told at once: a desk phone in another network', () => {
    const given = office();
    change(given, { address: '185.0.0.9' });
    expect(news(given.all).map((message) => read(message, given.all.now()).headline)).toEqual([
      expect.stringContaining('Extension 105 (Desk 105) registers from a new network: 185.0.0.0/24'),
    ]);
  });

  it('is told at once: another device, and the network that it is in', () => {
    const given = office();
    change(given, { address: '185.0.0.9', agent: 'friendly-scanner 1.2' }, '300');
    expect(news(given.all).flatMap(({ changes }) => changes.map(({ transition }) => transition.kind))).toEqual([
      'registration.device',
      'registration.network',
    ]);
  });

  it('is nothing of the kind once a phone has been in three networks', () => {
    const given = office();
    for (const address of ['185.0.0.9', '185.0.1.9', '185.0.2.9', '185.0.3.9']) change(given, { address });
    expect(news(given.all)).toHaveLength(2);
    until(given, MORNING_MS);
    expect(news(given.all)).toHaveLength(3);
  });
});
