/** Phones that stay lost when what explained their loss ends: only who has said that it is over is said to have said so. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { formatReason } from '../../../src/core/wording/phones/why.ts';
import { HOUR, MINUTE, phones, rounds, town, type PaperAccount, type PaperTown } from './paper-town.ts';

const LEFT = '52 of 52 phones still offline: Carlton 20/20, Geelong 18/18, Richmond 14/14';
const GONE = 'Provider’s notice is gone without a word of an end';
const SITES = 'Carlton 20/20, Geelong 18/18, Richmond 14/14';

interface Scene {
  all: PaperTown;
  account: PaperAccount;
  notice: number;
}

/** A notice, and in its alert every phone is lost. Work that is planned for later keeps the lists from being empty. */
async function shared(repeatMs: number | null = null): Promise<Scene> {
  const all = town(undefined, repeatMs);
  all.world.scheduleMaintenance({
    subject: 'Routers',
    components: [3],
    beginsAt: all.now() + 200 * HOUR,
    endsAt: all.now() + 201 * HOUR,
  });
  await all.sweepPage();
  const account = all.account('acme', [
    ...phones(100, 14, '203.0.113.7'),
    ...phones(200, 20, '203.0.113.8'),
    ...phones(300, 18, '198.51.100.3'),
  ]);
  account.sweep(0);
  const notice = all.world.openNotice({ subject: 'Registrations failing', components: [2] });
  await rounds(all, [account], 1);
  account.lose(() => true);
  await rounds(all, [account], 7);
  all.sent.length = 0;
  return { all, account, notice };
}

function read({ all }: Scene): { headline: string; sentences: string }[] {
  return all.people().map((message) => {
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
    const { headline, sentences } = composeContent(message, setting);
    return { headline, sentences: sentences.join(' ') };
  });
}

/** What the loss is blamed on, as it is shown. */
function why({ account }: Scene): (string | null)[] {
  return account.state.alerts.map(({ because }) => (because === undefined ? null : formatReason(because)));
}

function explainers({ account }: Scene): (string | null)[] {
  return account.state.alerts.map(({ explainedBy }) => explainedBy);
}

describe('a notice that shares its alert with lost phones', () => {
  it('is not said to be over where it was withdrawn', async () => {
    const scene = await shared();
    scene.all.world.withdrawNotice(scene.notice);
    await rounds(scene.all, [scene.account], 3);
    expect(read(scene)).toEqual([
      {
        headline: 'Withdrawn by the provider, not resolved: Registrations failing',
        sentences: expect.stringContaining('has not said that it is resolved'),
      },
      {
        headline: `${LEFT} — the ${GONE.replace('Provider', 'provider')}`,
        sentences: 'The provider has not said that it is over, so the trouble may go on.',
      },
    ]);
    expect(JSON.stringify(read(scene))).not.toContain('says it is over');
    expect(scene.all.events('outage.residual')).toMatchObject([{ transition: { details: { without_resolve: true } } }]);
    scene.account.restart();
    await rounds(scene.all, [scene.account], 1);
    expect(why(scene)).toEqual([GONE]);
    expect(scene.account.state.alerts).toMatchObject([{ residual: true, severity: 'critical' }]);
  });

  it('is not said to be over where it was cancelled', async () => {
    const scene = await shared();
    scene.all.world.closeNotice(scene.notice, { state: 'cancelled' });
    await rounds(scene.all, [scene.account], 3);
    expect(read(scene).at(-1)?.headline).toBe(`${LEFT} — the ${GONE.replace('Provider', 'provider')}`);
  });

  it.each(['resolved', 'false_alarm'])('is said to be over where it is %s', async (state) => {
    const scene = await shared();
    scene.all.world.closeNotice(scene.notice, { state });
    await rounds(scene.all, [scene.account], 3);
    expect(read(scene).at(-1)).toEqual({
      headline: `${LEFT} — the provider says it is over`,
      sentences: 'Phones that do not come back by themselves may need to be restarted.',
    });
    const [told] = scene.all.events('outage.residual');
    expect(told?.transition.details).not.toHaveProperty('without_resolve');
    expect(why(scene)).toEqual(['Provider says it is over']);
  });

  it('that is resolved after another one was withdrawn is said to be over', async () => {
    const scene = await shared();
    scene.all.world.withdrawNotice(scene.notice);
    await rounds(scene.all, [scene.account], 3);
    const second = scene.all.world.openNotice({ subject: 'No calls at all', components: [2] });
    await rounds(scene.all, [scene.account], 2);
    scene.all.world.closeNotice(second);
    await rounds(scene.all, [scene.account], 3);
    expect(read(scene).at(-1)?.headline).toBe(`${LEFT} — the provider says it is over`);
    expect(why(scene)).toEqual(['Provider says it is over']);
  });
});

describe.each(['removed', 'moved'] as const)('a page that is %s', (how) => {
  it('has said nothing: the loss is judged anew, and people are told what is known', async () => {
    const scene = await shared();
    scene.all.losePage(how);
    scene.account.sweep();
    expect(read(scene).map(({ headline }) => headline)).toEqual([
      `52 of 52 phones offline: ${SITES} — outage at the provider suspected`,
    ]);
    expect(scene.all.events('outage.residual')).toEqual([]);
    expect(explainers(scene)).toEqual([null]);
    expect(why(scene)).toEqual(['No single site and no single model explains these losses']);
  });

  it('explains no loss any more: people are reminded of it', async () => {
    const scene = await shared(HOUR);
    scene.all.losePage(how);
    scene.account.sweep();
    scene.all.sent.length = 0;
    for (let minutes = 0; minutes < 65; minutes += 1) scene.account.sweep(MINUTE);
    expect(read(scene).map(({ headline }) => headline)).toEqual([expect.stringMatching(/^Still offline after /)]);
  });
});

it('while the page has its notice open, the provider’s alert reminds of the loss, and the account does not', async () => {
  const scene = await shared(HOUR);
  for (let minutes = 0; minutes < 65; minutes += 1) scene.account.sweep(MINUTE);
  expect(read(scene)).toEqual([]);
  expect(explainers(scene)).toEqual(scene.account.state.alerts.map(({ id }) => id));
});
