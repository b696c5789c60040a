/** A list of registrations that stands still, or ends amid a site, and every list that looks like one and is well. */
import { describe, expect, it } from 'vitest';
import { findListDoubt } from '../../../src/core/account/registration-list.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import type { Listing } from '../../../src/core/observation/listing.ts';
import type { Registered } from '../../../src/core/account/account-model.ts';
import {
  MINUTE,
  open,
  phones,
  SECOND,
  town,
  type PaperAccount,
  type PaperPhone,
  type PaperTown,
} from './paper-town.ts';

const [RICHMOND, CARLTON] = ['203.0.113.7', '203.0.113.8'];
const two = [...phones(100, 12, RICHMOND), ...phones(200, 12, CARLTON)];

/** Registrations of this length, renewed halfway; each phone at a time of its own. */
function renew(all: PaperTown, account: PaperAccount, lengthMs: number): void {
  for (const phone of account.phones) {
    if (!phone.up) continue;
    const phase = Number(phone.extension) * 7 * SECOND;
    const since = (all.now() + phase) % (lengthMs / 2);
    phone.expiresInMs = lengthMs - since;
    phone.until = new Date(all.now() + phone.expiresInMs).toISOString();
  }
}

async function begin(given: readonly Omit<PaperPhone, 'up'>[] = two, lengthMs = 10 * MINUTE) {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', given);
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute += 1) {
      all.pass(MINUTE);
      renew(all, account, lengthMs);
      await all.sweepPage();
      account.sweep(0);
    }
  };
  await minutes(4);
  return { all, account, minutes };
}

/** What the account last answered. */
function lastList({ steps }: PaperAccount): Listing<Registered> {
  const observation = steps.findLast((step) => step.observation.kind === 'registrations')?.observation;
  if (observation?.kind !== 'registrations') throw new Error('nothing was read');
  return observation.registrations;
}

const codeOf = ({ state }: PaperAccount): string | undefined => findListDoubt(state.snapshot)?.code;

describe('a list that stands still', () => {
  it('is a missed look from the second answer on, told after the threshold, and over when it moves', async () => {
    const { all, account, minutes } = await begin();
    account.instead.registrations = lastList(account);
    await minutes(1);
    expect(codeOf(account)).toBe('stale');
    expect(account.state.snapshot.health.blind['registrations']).toMatchObject({ code: 'stale' });
    await minutes(3);
    expect(all.events('source.unreachable')).toEqual([]);
    await minutes(3);
    expect(all.events('source.unreachable')).toHaveLength(1);
    account.restart();
    await minutes(1);
    expect(all.events('source.recovered')).toEqual([]);
    account.instead = {};
    await minutes(1);
    expect(codeOf(account)).toBeUndefined();
    expect(all.events('source.recovered')).toHaveLength(1);
  });

  it('of one phone is known by it', async () => {
    const { account, minutes } = await begin(two.slice(0, 1));
    account.instead.registrations = lastList(account);
    await minutes(1);
    expect(codeOf(account)).toBe('stale');
  });

  it('is known where registrations are renewed in step with the looks, and never seen to count down', async () => {
    const { account, minutes } = await begin(two, 2 * MINUTE);
    account.instead.registrations = lastList(account);
    await minutes(1);
    expect(codeOf(account)).toBe('stale');
  });

  it('brings no phone back that was lost after it was made, though a newer list was read meanwhile', async () => {
    const { all, account, minutes } = await begin();
    const old = lastList(account);
    account.lose(({ address }) => address === CARLTON);
    await minutes(7);
    expect(open(account)).toEqual(['Carlton']);
    account.instead.registrations = old;
    await minutes(3);
    expect(open(account)).toEqual(['Carlton']);
    expect(all.events('registration.restored')).toEqual([]);
    account.instead = {};
    account.bringBack();
    await minutes(1);
    expect(open(account)).toEqual([]);
  });

  it('does not run the hold-off of a phone that it lacks', async () => {
    const { all, account, minutes } = await begin();
    account.lose(({ extension }) => extension === '103');
    await minutes(1);
    account.instead.registrations = lastList(account);
    await minutes(20);
    expect(all.events('registration.lost')).toEqual([]);
  });
});

describe('a list that is well', () => {
  it.each([
    ['is renewed in step with the looks', 2 * MINUTE],
    ['is renewed more often than anybody looks', MINUTE],
    ['counts down', 60 * MINUTE],
  ])('%s', async (_what, lengthMs) => {
    const { all, account, minutes } = await begin(two, lengthMs);
    await minutes(20);
    expect(codeOf(account)).toBeUndefined();
    expect(all.events('source.unreachable')).toEqual([]);
  });

  it.each([
    ['never says when a registration runs out', {}],
    ['always shows the same time', { expiresInMs: 5 * MINUTE, until: '2026-03-02 10:00:00' }],
    ['says how long, but not until when', { expiresInMs: 5 * MINUTE }],
  ])('%s, and never counted down', async (_what, said) => {
    const all = town();
    const account = all.account('acme', two);
    for (const phone of account.phones) Object.assign(phone, said);
    for (let minute = 0; minute < 12; minute += 1) account.sweep();
    expect(codeOf(account)).toBeUndefined();
    expect(all.events('source.unreachable')).toEqual([]);
  });

  it('shows the seconds of a whole registration always, and runs out later when that is renewed', () => {
    const all = town();
    const account = all.account('acme', two);
    for (let minute = 0; minute < 30; minute += 1) {
      for (const [index, phone] of account.phones.entries()) {
        // Two of them are renewed in every third minute.
        const renewals = Math.floor((minute + index * 3) / 36);
        Object.assign(phone, { expiresInMs: 60 * MINUTE, until: `2026-03-0${renewals + 1} 10:00:00` });
      }
      account.sweep();
    }
    expect(codeOf(account)).toBeUndefined();
    expect(all.events('source.unreachable')).toEqual([]);
  });

  it('is the same twice within seconds', async () => {
    const { account } = await begin();
    account.instead.registrations = lastList(account);
    account.sweep(20 * SECOND);
    expect(codeOf(account)).toBeUndefined();
  });
});

describe('a list that ends amid a site', () => {
  /** The first so many phones are listed. */
  function cut(account: PaperAccount, count: number): void {
    const kept = new Set(account.phones.slice(0, count).map(({ extension }) => extension));
    account.lose(({ extension }) => !kept.has(extension));
  }

  it('may be cut: nothing is lost, and people are told so', async () => {
    const { all, account, minutes } = await begin();
    cut(account, 15);
    await minutes(10);
    expect(all.events('registration.lost')).toEqual([]);
    expect(all.events('registration.mass')).toEqual([]);
    const [{ transition } = { transition: null }] = all.events('source.unreachable');
    expect(transition?.to).toContain('the list may be cut: it ends with extension 202, and all 9 phones beyond that');
    account.bringBack();
    await minutes(1);
    expect(all.events('source.recovered')).toHaveLength(1);
    expect(open(account)).toEqual([]);
  });

  it('for longer than any registration lasts has lost them', async () => {
    const { all, account, minutes } = await begin();
    cut(account, 15);
    await minutes(80);
    const [lost] = all.events('registration.mass');
    expect(lost?.transition.details).toMatchObject({ down: 9, may_be_cut: true });
    if (lost === undefined) throw new Error('nothing was told');
    const said = composeContent(lost.message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() });
    expect(said.sentences.join(' ')).toContain('it may be cut');
    expect(said.sentences.join(' ')).not.toContain('router');
  });

  it('is asked once more where the provider does not say how long a registration lasts', async () => {
    const all = town();
    const account = all.account('acme', two);
    for (let minute = 0; minute < 4; minute += 1) account.sweep();
    cut(account, 15);
    account.sweep();
    expect(codeOf(account)).toBe('cut');
    for (let minute = 0; minute < 5; minute += 1) account.sweep();
    expect(all.events('registration.mass')).toEqual([]);
    account.sweep();
    expect(all.events('registration.mass')[0]?.transition.details).toMatchObject({ down: 9, may_be_cut: true });
  });

  it('hides no site that dies elsewhere meanwhile', async () => {
    const { account, minutes } = await begin();
    cut(account, 15);
    await minutes(3);
    account.lose(({ address }) => address === RICHMOND);
    await minutes(8);
    expect(open(account)).toContain('Richmond');
  });

  it.each([
    ['ends with the site before', (phone: PaperPhone) => phone.address === CARLTON, 'Carlton'],
    ['lacks a site amid it', (phone: PaperPhone) => phone.address === RICHMOND, 'Richmond'],
  ])('is another thing than one that %s', async (_what, isDead, site) => {
    const { all, account, minutes } = await begin();
    account.lose(isDead);
    await minutes(6);
    expect(open(account)).toEqual([site]);
    expect(all.events('source.unreachable')).toEqual([]);
  });

  it('is another thing than phones whose registrations have run out', async () => {
    const { account, minutes } = await begin(two, 2 * MINUTE);
    const dead = account.phones.slice(15);
    // They say nothing more, and stay listed until the last minute after their expiry.
    await minutes(3);
    for (const phone of dead) Object.assign(phone, { expiresInMs: -30 * SECOND });
    account.sweep(MINUTE);
    for (const phone of dead) phone.up = false;
    await minutes(6);
    expect(open(account)).toEqual(['Carlton']);
  });

  it.each([
    [3, 'lost'],
    [1, 'unknown'],
  ])('while %i of three other accounts lose their phones has its tail %s', (hit, tail) => {
    const all = town();
    const account = all.account('acme', two);
    const others = ['one', 'two', 'three'].map((name) => all.account(name, phones(300, 10, '203.0.113.9')));
    const sweepAll = (minutes: number): void => {
      for (let minute = 0; minute < minutes; minute += 1) {
        all.pass(MINUTE);
        for (const each of [...others, account]) {
          for (const phone of each.phones) Object.assign(phone, { expiresInMs: (30 - (minute % 20)) * MINUTE });
          each.sweep(0);
        }
      }
    };
    sweepAll(4);
    cut(account, 15);
    for (const other of others.slice(0, hit)) other.lose(() => true);
    sweepAll(12);
    expect(codeOf(account)).toBe(tail === 'unknown' ? 'cut' : undefined);
    const down = account.state.snapshot.phones?.filter(({ lost }) => lost !== null && lost.cut !== true);
    expect(down).toHaveLength(tail === 'lost' ? 9 : 0);
  });

  it('is told as ever where single phones are missing', async () => {
    const { account, minutes } = await begin();
    cut(account, 22);
    await minutes(6);
    expect(open(account)).toEqual(['single']);
  });
});
