/** The alert that a loss is told in: it moves up one order, and what is judged again on the same evidence says nothing. */
import { describe, expect, it, test } from 'vitest';
import { canMove, findLossPlace, type Place } from '../../../src/core/correlation/correlate.ts';
import type { AccountAlert } from '../../../src/core/correlation/account-alert.ts';
import type { AccountState } from '../../../src/core/engine/account-kind.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { findMissingEnd } from '../../support/thread-end.ts';
import { HOUR, MINUTE, phones, rounds, town, type PaperAccount, type PaperTown } from '../account/paper-town.ts';

const SUBJECT = 'Registrations failing';

/** Two accounts of one page with three sites each, a receiver for each of them, and more accounts for `others`. */
async function begin(others: readonly string[] = []) {
  const all = town((source) => (source === 'provider' ? ['people'] : [`people of ${source}`, 'programs']));
  await all.sweepPage();
  const [one, two, ...rest] = ['one', 'two', ...others].map((name, index) =>
    all.account(
      name,
      [0, 1, 2].flatMap((site) => phones(100 * (index + 1) + 20 * site, 6, `192.0.${site}.${index + 1}`)),
    ),
  );
  if (one === undefined || two === undefined) throw new Error('there are two accounts');
  const both = [one, two, ...rest];
  for (const account of both) account.sweep(0);
  await rounds(all, both, 2);
  return { all, one, two, both };
}

function loseOne(account: PaperAccount): void {
  const [first] = account.phones;
  account.lose((phone) => phone === first);
}

function loseHalf(account: PaperAccount): void {
  account.lose(({ extension }) => Number(extension) % 2 === 0);
}

function going(account: PaperAccount): AccountAlert[] {
  return account.state.alerts.filter(({ status, absorbedBy }) => status === 'open' && absorbedBy === undefined);
}

/** The number and the place of what an account has open. */
function places(account: PaperAccount): [number, Place][] {
  return going(account).map((alert) => [alert.number, findLossPlace(alert)]);
}

function moves(all: PaperTown): string[] {
  return all
    .events('outage.suspected')
    .flatMap(({ transition: { source, details }, message }) =>
      'goes_on_in' in details && details.goes_on_in !== undefined
        ? [`${source}: #${message.alert.number} → #${details.goes_on_in.number}`]
        : [],
    );
}

test('a loss moves up only: from its own alert to that of its neighbours, and on to that of a notice', () => {
  const all: Place[] = ['own', 'neighbours', 'outage', 'notice'];
  const up = all.flatMap((from) => all.filter((to) => canMove(from, to)).map((to) => `${from} → ${to}`));
  expect(up).toEqual([
    'own → neighbours',
    'own → outage',
    'own → notice',
    'neighbours → outage',
    'neighbours → notice',
    'outage → notice',
  ]);
});

test('what was written before places were remembered is at the notice that explains it, or in its own alert', () => {
  expect(findLossPlace({ id: 'notice', explainedBy: 'notice' })).toBe('notice');
  expect(findLossPlace({ id: 'loss', explainedBy: 'notice' })).toBe('own');
  expect(findLossPlace({ id: 'loss', explainedBy: null })).toBe('own');
});

describe('a loss that a notice explains, beside a neighbour whose older one it explains too', () => {
  it('is told with that one from its beginning, and nobody reads of it again and again', async () => {
    const { all, one, two, both } = await begin();
    loseOne(one);
    await rounds(all, both, 8);
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, both, 2);
    const before = all.sent.length;
    for (const account of both) loseHalf(account);
    await rounds(all, both, 120);
    expect(moves(all)).toEqual([]);
    expect(places(one)).toEqual([[1, 'own']]);
    expect(places(two)).toEqual([[1, 'outage']]);
    const read = all.sent.slice(before).filter(({ receiver }) => receiver === 'people of two');
    expect(read.map(({ changes }) => changes.map(({ transition }) => transition.kind))).toEqual([
      ['registration.mass'],
    ]);
  });

  it('stays there when it is written by a version that remembered no places', async () => {
    const { all, one, two, both } = await begin();
    loseOne(one);
    await rounds(all, both, 8);
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, both, 2);
    for (const account of both) loseHalf(account);
    await rounds(all, both, 8);
    two.take((state) => withAlerts(state, withoutPlace));
    await rounds(all, both, 20);
    expect(moves(all)).toEqual([]);
    expect(places(two)).toEqual([[1, 'own']]);
  });
});

describe('a loss that is told by itself', () => {
  it('moves once to the alert of its neighbours when it turns out to be part of theirs', async () => {
    const { all, one, two, both } = await begin();
    for (const account of both) loseOne(account);
    await rounds(all, both, 8);
    expect([places(one), places(two)]).toEqual([[[1, 'own']], [[2, 'own']]]);
    for (const account of both) loseHalf(account);
    await rounds(all, both, 60);
    expect(moves(all)).toEqual(['two: #2 → #1']);
    expect([places(one), places(two)]).toEqual([[[1, 'own']], [[1, 'neighbours']]]);
  });

  it('moves with one message where single phones are lost, and the next one counts them all', async () => {
    const { all, one, two, both } = await begin(['three', 'four']);
    loseOne(one);
    await rounds(all, both, 8);
    for (const last of ['201', '221', '241']) {
      two.lose(({ extension }) => extension === last);
      await rounds(all, both, 3);
    }
    const before = all.sent.length;
    for (const account of both) if (account !== two) loseHalf(account);
    await rounds(all, both, 8);
    expect(moves(all)).toEqual(['two: #2 → #1']);
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
    const read = (from: number) =>
      all.sent
        .slice(from)
        .flatMap((message) => (message.receiver === 'people of two' ? [composeContent(message, setting)] : []));
    const moved = read(before);
    expect(moved.filter(({ number }) => number === '#1')).toEqual([]);
    expect(moved.at(-1)).toMatchObject({
      headline: '3 phones are part of #1 now',
      sentences: expect.arrayContaining(['Other accounts at this provider lose phones at the same time.']) as string[],
    });
    const then = all.sent.length;
    loseHalf(two);
    await rounds(all, both, 8);
    expect(read(then).map(({ headline }) => headline)[0]).toMatch(
      /^12 of 18 phones offline.* — outage at the provider suspected$/,
    );
  });

  it('moves once to a notice that is older and explains it', async () => {
    const { all, both, two } = await begin();
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, both, 2);
    for (const account of both) loseOne(account);
    await rounds(all, both, 8);
    for (const account of both) loseHalf(account);
    await rounds(all, both, 60);
    expect(moves(all).toSorted()).toEqual(['one: #2 → #1', 'two: #3 → #1']);
    expect(places(two)).toEqual([[1, 'notice']]);
  });

  it('moves on from its neighbours to older work that turns out to explain it', async () => {
    const { all, one, two, both } = await begin();
    const beginsAt = all.now() + 30 * MINUTE;
    const endsAt = beginsAt + 3 * HOUR;
    const work = all.world.scheduleMaintenance({ subject: 'Registrars', components: [2], beginsAt, endsAt });
    await rounds(all, both, 2);
    for (const account of both) loseOne(account);
    await rounds(all, both, 8);
    for (const account of both) loseHalf(account);
    await rounds(all, both, 10);
    expect([places(one), places(two)]).toEqual([[[2, 'own']], [[2, 'neighbours']]]);
    all.world.updateNotice(work, { state: 'underway' });
    await rounds(all, both, 40);
    expect(moves(all)).toEqual(['two: #3 → #2', 'one: #2 → #1', 'two: #2 → #1']);
    expect([places(one), places(two)]).toEqual([[[1, 'notice']], [[1, 'notice']]]);
  });

  it('is explained by a later notice that fits better, once and where it is told', async () => {
    const { all, two, both } = await begin();
    all.world.openNotice({ subject: 'Some calls fail' });
    await rounds(all, both, 2);
    for (const account of both) loseHalf(account);
    await rounds(all, both, 8);
    expect(going(two)).toMatchObject([{ number: 1, because: { number: 1 } }]);
    all.world.openNotice({ subject: SUBJECT, components: [1, 2] });
    await rounds(all, both, 30);
    expect(going(two)).toMatchObject([{ number: 1, because: { number: 2 } }]);
    expect(all.events('outage.suspected').filter(({ transition }) => transition.source === 'two')).toHaveLength(1);
    expect(moves(all)).toEqual([]);
  });

  it('begins anew in the alert of the notice that explains it then', async () => {
    const { all, two, both } = await begin();
    for (const account of both) loseOne(account);
    await rounds(all, both, 8);
    for (const account of both) loseHalf(account);
    await rounds(all, both, 8);
    for (const account of both) account.bringBack();
    await rounds(all, both, 3);
    expect(going(two)).toEqual([]);
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, both, 2);
    for (const account of both) loseHalf(account);
    await rounds(all, both, 30);
    expect(moves(all).filter((move) => move.startsWith('two'))).toEqual(['two: #2 → #1']);
    expect(places(two)).toEqual([[3, 'notice']]);
  });

  describe('begins anew soon after its end', () => {
    async function loseAgain(beside: (two: PaperAccount) => void) {
      const { all, one, two, both } = await begin();
      loseHalf(one);
      await rounds(all, both, 8);
      one.bringBack();
      await rounds(all, both, 3);
      beside(two);
      await rounds(all, both, 8);
      loseHalf(one);
      await rounds(all, both, 8);
      return { all, one, two, both };
    }

    it('in the alert that its neighbours have open', async () => {
      const { all, one, two, both } = await loseAgain(loseHalf);
      expect([places(one), places(two)]).toEqual([[[2, 'neighbours']], [[2, 'own']]]);
      expect(moves(all)).toEqual([]);
      for (const account of both) account.bringBack();
      await rounds(all, both, 8);
      expect([going(one), going(two)]).toEqual([[], []]);
    });

    it('in its own while they have none', async () => {
      const { all, one } = await loseAgain(() => {});
      expect(places(one)).toEqual([[1, 'own']]);
      expect(moves(all)).toEqual([]);
    });

    /** A notice explains the first loss, and may have ended before the second one. */
    async function loseAgainWith({ ends }: { ends: boolean }) {
      const { all, one, two, both } = await begin();
      for (const account of both) loseHalf(account);
      await rounds(all, both, 8);
      const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
      await rounds(all, both, 3);
      for (const account of both) account.bringBack();
      await rounds(all, both, 3);
      if (ends) all.world.closeNotice(notice);
      await rounds(all, both, 20);
      for (const account of both) loseHalf(account);
      await rounds(all, both, 8);
      return { all, one, two };
    }

    it('under a number of its own, if the notice that explained it has ended', async () => {
      const { all, one, two } = await loseAgainWith({ ends: true });
      const [[number] = [0]] = places(one);
      expect(number).toBeGreaterThan(2);
      expect(places(two).map(([of]) => of)).toEqual([number]);
      expect(going(one).map(({ startedAt }) => startedAt > all.now() - 10 * MINUTE)).toEqual([true]);
    });

    it('in the alert of that notice while it is open', async () => {
      const { one, two } = await loseAgainWith({ ends: false });
      expect([places(one), places(two)]).toEqual([[[2, 'notice']], [[2, 'notice']]]);
    });
  });
});

describe('the notice that confirms what people have read to be suspected', () => {
  /** What people of an account read once the notice is open, and once half of its phones are lost. */
  async function readConfirmation(lose: (account: PaperAccount) => void) {
    const { all, one, both } = await begin(['three', 'four']);
    for (const account of both) if (account !== one) loseHalf(account);
    await rounds(all, both, 6);
    const read: { step: string; kinds: string[]; namesNotice: boolean }[] = [];
    let seen = 0;
    const record = (step: string): void => {
      for (const { receiver, changes } of all.sent.slice(seen)) {
        if (receiver !== 'people of one') continue;
        read.push({
          step,
          kinds: changes.map(({ transition }) => transition.kind),
          namesNotice: JSON.stringify(changes).includes(SUBJECT),
        });
      }
      seen = all.sent.length;
    };
    record('before');
    lose(one);
    await rounds(all, both, 6);
    record('lost');
    all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, both, 5);
    record('confirmed');
    loseHalf(one);
    await rounds(all, both, 6);
    record('grown');
    const readAt = (step: string) => read.filter((one) => one.step === step);
    expect(readAt('lost').flatMap(({ kinds }) => kinds)).toContain('outage.suspected');
    return readAt;
  }

  it('comes with their next message, where few phones are lost', async () => {
    const readAt = await readConfirmation(loseOne);
    expect(readAt('confirmed')).toEqual([]);
    expect(readAt('grown')[0]).toMatchObject({ kinds: ['registration.mass'], namesNotice: true });
  });

  it('is a message of its own, where many are', async () => {
    const readAt = await readConfirmation(loseHalf);
    expect(readAt('confirmed').map(({ kinds }) => kinds)).toEqual([['outage.suspected']]);
  });
});

describe('losses of one account that a notice moves into its alert', () => {
  /** Sites of an account lost hours apart, each told by itself; then the last one, with a notice. */
  async function movedByNotice({ before = () => {} }: { before?: (all: PaperTown, alert: string) => void } = {}) {
    const all = town((source) => (source === 'provider' ? ['people'] : ['people of acme', 'programs']), 2 * HOUR);
    await all.sweepPage();
    const sizes = [8, 10, 20];
    const account = all.account(
      'acme',
      sizes.flatMap((size, site) => phones(100 * (site + 1), size, `192.0.2.${site}`)),
    );
    account.sweep(0);
    await rounds(all, [account], 2);
    for (const site of [0, 1]) {
      account.lose(({ address }) => address === `192.0.2.${site}`);
      await rounds(all, [account], 130);
    }
    before(all, going(account)[0]?.id ?? '');
    account.lose(() => true);
    await rounds(all, [account], 1);
    const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
    await rounds(all, [account], 8);
    const read = () => all.sent.filter(({ receiver, alert }) => receiver === 'people of acme' && alert.number !== null);
    const threads = () => [...new Map(read().map(({ alert }) => [alert.number, alert.id]))];
    return { all, account, notice, read, threads };
  }

  it('end their threads with one message each, and read of their end in that alert alone', async () => {
    const { all, account, notice, read, threads } = await movedByNotice();
    expect(moves(all)).toEqual(['acme: #1 → #3', 'acme: #2 → #3']);
    expect(places(account)).toEqual([
      [3, 'notice'],
      [3, 'notice'],
      [3, 'notice'],
    ]);
    const moved = read().length;
    all.world.closeNotice(notice);
    account.bringBack();
    await rounds(all, [account], 30);
    expect(
      read()
        .slice(moved)
        .map(({ alert }) => alert.number),
    ).toEqual([3]);
    expect(threads().map(([number, id]) => [number, findMissingEnd(read(), id)])).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
  });

  it.each([
    ['ends', 'closeNotice', false],
    ['is withdrawn', 'withdrawNotice', true],
  ] as const)('are still offline in that alert when the notice %s', async (_, how, isGone) => {
    const { all, account, notice, read, threads } = await movedByNotice();
    const moved = read().length;
    all.world[how](notice);
    await rounds(all, [account], 10);
    const residuals = all.events('outage.residual');
    expect(residuals.map(({ message }) => message.alert.number)).toEqual([3, 3, 3]);
    expect(residuals.map(({ transition: { details } }) => 'without_resolve' in details)).toEqual(
      residuals.map(() => isGone),
    );
    account.bringBack();
    await rounds(all, [account], 30);
    expect(
      new Set(
        read()
          .slice(moved)
          .map(({ alert }) => alert.number),
      ),
    ).toEqual(new Set([3]));
    expect(threads().map(([, id]) => findMissingEnd(read(), id))).toEqual([null, null, null]);
  });

  it('are acknowledged by nobody in that alert, though one of them was before', async () => {
    const { all, account } = await movedByNotice({ before: (town, alert) => town.acknowledge(alert, 'alex') });
    expect(account.state.alerts.filter(({ absorbedBy }) => absorbedBy !== undefined)).toMatchObject([
      { number: 1, acknowledged: { by: 'alex' } },
      { number: 2 },
    ]);
    expect(going(account).map(({ acknowledged }) => acknowledged)).toEqual([undefined, undefined, undefined]);
    const from = all.sent.length;
    await rounds(all, [account], 3 * 60);
    expect(all.sent.slice(from).some(({ reminder, alert }) => reminder > 0 && alert.number === 3)).toBe(true);
  });

  it('are acknowledged there, and not in a thread that has ended', async () => {
    const { all, account, threads } = await movedByNotice();
    const known = new Map(threads());
    const from = all.sent.length;
    all.acknowledge(known.get(1) ?? '', 'alex');
    expect(all.sent.slice(from)).toEqual([]);
    all.acknowledge(known.get(3) ?? '', 'alex');
    expect(all.sent.slice(from).map(({ receiver, alert }) => [receiver, alert.number])).toContainEqual([
      'people of acme',
      3,
    ]);
    expect(going(account).every(({ acknowledged }) => acknowledged?.by === 'alex')).toBe(true);
  });
});

test('a loss that begins anew while its notice is open is told with that notice still when it has ended', async () => {
  const { all, one, both } = await begin();
  const notice = all.world.openNotice({ subject: SUBJECT, components: [2] });
  await rounds(all, both, 2);
  for (const again of [false, true]) {
    if (again) one.bringBack();
    await rounds(all, both, 2);
    loseHalf(one);
    await rounds(all, both, 8);
    expect(places(one)).toEqual([[1, 'notice']]);
  }
  all.world.closeNotice(notice);
  await rounds(all, both, 8);
  expect(places(one)).toEqual([[1, 'notice']]);
});

describe('a loss that would move a third time within an hour', () => {
  /** As far as they remember both have moved twice; a move of `two` to its neighbour falls due. */
  async function movedTwice() {
    const town = await begin();
    const { all, two, both } = town;
    for (const account of both) loseOne(account);
    await rounds(all, both, 8);
    for (const account of both) {
      account.take((state) => {
        const { clock } = state.snapshot;
        return withAlerts(state, (alert) => ({ ...alert, moves: [clock, clock] }));
      });
    }
    const from = two.steps.length;
    for (const account of both) loseHalf(account);
    await rounds(all, both, 20);
    return { ...town, refused: () => two.steps.slice(from).flatMap(({ out }) => out.refusedMoves) };
  }

  it('stays where it is, which is said once', async () => {
    const { all, two, refused } = await movedTwice();
    expect(moves(all)).toEqual([]);
    expect(places(two)).toEqual([[2, 'own']]);
    expect(refused()).toEqual([{ alert: 2, reason: 'too_many_moves', into: 1 }]);
  });

  it('moves when the hour is over, and remembers no more moves than those of an hour', async () => {
    const { all, two, both, refused } = await movedTwice();
    await rounds(all, both, 60);
    expect(moves(all)).toEqual(['two: #2 → #1']);
    expect(going(two)).toMatchObject([{ number: 1, moves: [expect.any(Number)] }]);
    await rounds(all, both, 61);
    expect(two.state.alerts.filter((alert) => 'moves' in alert)).toEqual([]);
    expect(refused()).toHaveLength(1);
  });
});

function withAlerts(state: AccountState, change: (alert: AccountAlert) => AccountAlert): AccountState {
  return { ...state, alerts: state.alerts.map(change) };
}

/** As it was written before places were remembered. */
function withoutPlace(alert: AccountAlert): AccountAlert {
  const older = { ...alert };
  delete older.place;
  return older;
}
