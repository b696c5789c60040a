/** Planned work that is under way is named with every loss that it may have caused, also where the loss has its own alert. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { CARLTON, openThreeSites, RICHMOND, rounds } from './paper-town.ts';

type Work = 'under way' | 'to come' | 'without phones' | 'over';

/** Headline and sentences of the loss of these phones, half an hour into the work. */
async function readLoss(work: Work, isLost: (phone: { extension: string; address: string }) => boolean) {
  const { all, account } = await openThreeSites();
  const id = all.world.scheduleMaintenance({
    subject: 'SIP upgrade',
    beginsAt: all.now() + (work === 'to come' ? 600 : 5) * 60_000,
    endsAt: all.now() + 660 * 60_000,
    components: [work === 'without phones' ? 3 : 2],
  });
  await rounds(all, [account], 6);
  if (work !== 'to come') all.world.updateNotice(id, { state: 'underway', content: 'We begin.' });
  await rounds(all, [account], 5);
  if (work === 'over') all.world.closeNotice(id, { content: 'Done.' });
  await rounds(all, [account], 5);
  account.lose(isLost);
  await rounds(all, [account], 10);
  const message = all
    .people()
    .find(({ changes }) => changes.some(({ transition }) => /lost|mass/.test(transition.kind)));
  if (message === undefined) throw new Error('people read of it');
  const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
  const { headline, sentences } = composeContent(message, setting);
  return { number: message.alert.number, headline, text: sentences.join(' ') };
}

const NAMED = /Planned work is under way at the provider: #1 SIP upgrade\./;

describe('a loss during planned work', () => {
  it('of a site has its own alert, and names the work', async () => {
    const { number, headline, text } = await readLoss('under way', ({ address }) => address === RICHMOND);
    expect(number).toBe(2);
    expect(headline).toMatch(/20 phones at Richmond are offline$/);
    expect(text).toMatch(NAMED);
    expect(text).toContain('look first at the power');
  });

  it('of one phone names the work', async () => {
    const { text } = await readLoss('under way', ({ extension }) => extension === '100');
    expect(text).toMatch(NAMED);
  });

  it('all over the account is explained by it, which is said once', async () => {
    const { text } = await readLoss('under way', ({ extension }) => Number(extension) % 2 === 0);
    expect(text).toMatch(/#1 SIP upgrade/);
    expect(text).not.toMatch(NAMED);
  });

  it.each(['to come', 'without phones', 'over'] as const)('does not name work that is %s', async (work) => {
    const { text } = await readLoss(work, ({ address }) => address === CARLTON);
    expect(text).not.toContain('SIP upgrade');
  });
});
