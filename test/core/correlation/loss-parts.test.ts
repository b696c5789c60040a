/** Losses of one account that are parts of one alert: growth of it is told when it doubles, and its end when all are over. */
import { expect, test } from 'vitest';
import { phones, rounds, town, type PaperAccount } from '../account/paper-town.ts';

/** Two accounts that are hit while a notice is open, of which `one` goes on to lose phones at one site after the other. */
async function hit() {
  const all = town((source) => (source === 'provider' ? [] : [`people of ${source}`]));
  await all.sweepPage();
  const [one, two] = ['one', 'two'].map((name, index) =>
    all.account(
      name,
      [0, 1, 2, 3, 4, 5].flatMap((site) => phones(200 * (index + 1) + 20 * site, 6, `192.0.${site}.${index + 1}`)),
    ),
  );
  if (one === undefined || two === undefined) throw new Error('there are two accounts');
  const both = [one, two];
  for (const account of both) account.sweep(0);
  one.settings = {
    ...one.settings,
    registrations: { ...one.settings.registrations, mass: { count: 50, percent: 90 } },
  };
  all.world.openNotice({ subject: 'Registrations failing', components: [2] });
  await rounds(all, both, 2);
  two.lose(() => true);
  // Six phones of 36 are a loss of the account, where its neighbour is hit as well.
  lose(one, ['200', '201', '202', '203', '204', '205']);
  // What is lost later than ten minutes afterwards is another part.
  await rounds(all, both, 14);
  const before = all.people().length;
  const read = (): string[][] =>
    all
      .people()
      .slice(before)
      .filter(({ receiver }) => receiver === 'people of one')
      .map(({ changes }) => changes.map(({ transition, status }) => `${transition.subject.slice(-3)} ${status}`));
  return { all, one, both, read };
}

function lose(account: PaperAccount, extensions: readonly string[]): void {
  account.lose(({ extension }) => extensions.includes(extension));
}

test('a phone more at another site waits; with those that double the loss it is told', async () => {
  const { all, one, both, read } = await hit();
  lose(one, ['220']);
  await rounds(all, both, 8);
  expect(read()).toEqual([]);
  lose(one, ['240', '241', '260', '261', '280']);
  await rounds(all, both, 8);
  expect(read().flat().toSorted()).toEqual(['220', '240', '241', '260', '261', '280'].map((each) => `${each} update`));
  expect(read()).toHaveLength(1);
});

test('a phone more at another site is told after a while, though the loss does not double', async () => {
  const { all, one, both, read } = await hit();
  lose(one, ['220']);
  await rounds(all, both, 30);
  expect(read()).toEqual([['220 update']]);
});

test('the end of one part is no end of the alert while another part is open', async () => {
  const { all, one, both, read } = await hit();
  lose(one, ['220']);
  await rounds(all, both, 30);
  one.bringBack(({ extension }) => extension === '220');
  await rounds(all, both, 2);
  expect(read().slice(1).flat()).toEqual(['220 update']);
  one.bringBack();
  await rounds(all, both, 2);
  expect(
    read()
      .at(-1)
      ?.some((change) => change.endsWith('resolved')),
  ).toBe(true);
});

test('nor is it one where it is told together with a loss that goes on', async () => {
  const { all, one, both, read } = await hit();
  lose(one, ['220']);
  await rounds(all, both, 30);
  lose(one, ['240']);
  await rounds(all, both, 8);
  one.bringBack(({ extension }) => extension === '220');
  await rounds(all, both, 2);
  expect(read().slice(1)).toEqual([['240 update', '220 update']]);
});
