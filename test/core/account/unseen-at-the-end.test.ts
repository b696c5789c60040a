/** Phones that go missing as others return: the end counts no phone as registered that is not. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { phones, rounds, town, type PaperPhone } from './paper-town.ts';

/** The last message of a loss after which other phones go missing at once. */
async function readEnd(isFirst: (extension: number) => boolean, isNext: (extension: number) => boolean) {
  const all = town((source) => (source === 'provider' ? [] : ['people']));
  await all.sweepPage();
  const account = all.account(
    'acme',
    [0, 1, 2].flatMap((site) => phones(100 + 20 * site, 6, `192.0.2.${site}`)),
  );
  account.sweep(0);
  await rounds(all, [account], 2);
  const which =
    (is: (extension: number) => boolean) =>
    ({ extension }: PaperPhone): boolean =>
      is(Number(extension));
  account.lose(which(isFirst));
  await rounds(all, [account], 12);
  account.bringBack();
  account.lose(which(isNext));
  await rounds(all, [account], 3);
  const end = all.people().at(-1);
  if (end === undefined) throw new Error('people read of it');
  const { kicker, headline, sentences, facts } = composeContent(end, {
    timezone: 'UTC',
    instance: 'hq',
    externalUrl: null,
    now: end.promisedAt,
  });
  const registered = facts.find(({ label }) => label === 'Registered')?.text;
  return { isEnd: kicker.includes('Resolved'), headline, sentences, registered };
}

const isEven = (extension: number): boolean => extension % 2 === 0;
const isNone = (): boolean => false;

describe('the end of an outage of the account', () => {
  it('names those that are not registered then', async () => {
    expect(await readEnd(isEven, (extension) => [101, 121, 141].includes(extension))).toEqual({
      isEnd: true,
      headline: 'The lost phones are online again; 3 others are not registered now — after 12 min',
      sentences: ['15 of 18 phones are registered; calls are not tested.', 'What stays away for longer is reported.'],
      registered: '9 → 15 of 18',
    });
  });

  it('is that of all phones where all are registered', async () => {
    expect(await readEnd(isEven, isNone)).toEqual({
      isEnd: true,
      headline: 'All 18 phones are online again — after 12 min',
      sentences: ['18 of 18 phones are registered; calls are not tested.'],
      registered: '9 → 18 of 18',
    });
  });
});

describe('the end of a site', () => {
  it('counts the phones of that site alone', async () => {
    const { headline, registered } = await readEnd(
      (extension) => extension < 106,
      (extension) => extension === 121,
    );
    expect(headline).toMatch(/^All 6 phones at 192\.0\.2\.0 are online again/);
    expect(registered).toBe('0 → 6 of 6');
  });
});

describe('the return of one phone', () => {
  it.each([
    [121, '17 of 18 phones of the account are registered; calls are not tested.'],
    [0, '18 of 18 phones of the account are registered; calls are not tested.'],
  ])('counts what is registered beside it, with %i gone', async (next, sentence) => {
    const { isEnd, sentences } = await readEnd(
      (extension) => extension === 100,
      (extension) => extension === next,
    );
    expect([isEnd, ...sentences]).toEqual([true, sentence]);
  });
});
