/** Phones lost soon after the end of an outage: the same alert opens again, as bad as it is this time. */
import { describe, expect, it } from 'vitest';
import { createSeenAlert } from '../../../src/core/alert/shared-alert.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { phones, rounds, town, type PaperAccount } from '../account/paper-town.ts';

/** Kickers of the messages to people, each as they read it when it was sent. */
async function readKickers(act: (account: PaperAccount, pass: (minutes: number) => Promise<void>) => Promise<void>) {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', [...phones(100, 10, '203.0.113.7'), ...phones(200, 10, '203.0.113.8')]);
  account.sweep(0);
  const kickers: string[] = [];
  let read = 0;
  await act(account, async (minutes) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await rounds(all, [account], 1);
      for (const message of all.people().slice(read)) {
        const sources = new Set(message.changes.map(({ transition }) => transition.source));
        const reading = { alert: message.alert.id, receiver: message.receiver, sources };
        const seen = createSeenAlert(reading, [{ name: account.name, alerts: account.state.alerts }], new Map());
        const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
        kickers.push(composeContent({ ...message, seen }, setting).kicker);
      }
      read = all.people().length;
    }
  });
  return kickers;
}

/** An outage of the whole account, its end, and eight minutes later another loss: kickers from the loss on. */
async function loseAgain(extensions: (extension: string) => boolean): Promise<string[]> {
  const kickers = await readKickers(async (account, pass) => {
    account.lose(() => true);
    await pass(8);
    account.bringBack();
    await pass(8);
    account.lose(({ extension }) => extensions(extension));
    await pass(8);
  });
  expect(kickers.filter((kicker) => kicker.startsWith('#')).slice(0, 2)).toEqual([
    '#1 · Critical · New · acme',
    '#1 · Resolved · was critical · acme',
  ]);
  return kickers.filter((kicker) => kicker.startsWith('#')).slice(2);
}

describe('after the end of an outage of the whole account', () => {
  it('two phones open its alert again, which is critical no longer', async () => {
    expect(await loseAgain((extension) => ['100', '101'].includes(extension))).toEqual([
      '#1 · Warning · Open again · acme',
    ]);
  });

  it('all phones open it again as critical', async () => {
    expect(await loseAgain(() => true)).toEqual(['#1 · Critical · Open again · acme']);
  });

  it('one phone is a new alert', async () => {
    expect(await loseAgain((extension) => extension === '100')).toEqual(['#2 · Warning · New · acme']);
  });
});
