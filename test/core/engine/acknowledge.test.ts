/** Somebody has an alert in hand: reminders stop, growth and the end are still told, and what worsens is nobody's again. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alert/alert.ts';
import { joinParts } from '../../../src/core/alert/joined-alert.ts';
import { explainNotTold } from '../../../src/core/correlation/notify-decision.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { HOUR, type PaperAccount, type PaperTown, phones, rounds, town } from '../account/paper-town.ts';
import { breach } from '../../support/runs.ts';
import { findMissingEnd } from '../../support/thread-end.ts';

const EVERY = 2 * HOUR;

interface Scene {
  all: PaperTown;
  account: PaperAccount;
}

/** Ten phones at Richmond and twenty at Carlton, and a page that is well. */
async function scene(receivers?: (source: string) => readonly string[]): Promise<Scene> {
  const all = town(receivers, EVERY);
  await all.sweepPage();
  const account = all.account('acme', [...phones(100, 10, '203.0.113.7'), ...phones(200, 20, '203.0.113.8')]);
  account.sweep(0);
  await rounds(all, [account], 1);
  return { all, account };
}

/** All phones of Richmond are lost, and that is told. */
async function richmondLost(): Promise<Scene & { alert: Alert }> {
  const { all, account } = await scene();
  account.lose(({ address }) => address === '203.0.113.7');
  await rounds(all, [account], 7);
  const alert = openOf(account);
  return { all, account, alert };
}

function openOf({ state }: PaperAccount): Alert {
  const alert = state.alerts.find(({ status }) => status === 'open');
  if (alert === undefined) throw new Error('nothing is open');
  return alert;
}

function reminders(messages: readonly Message[]): Message[] {
  return messages.filter(({ reminder }) => reminder > 0);
}

/** What is sent from here on. */
function since({ sent }: PaperTown): () => Message[] {
  const before = sent.length;
  return () => sent.slice(before);
}

const kindsTo = (messages: readonly Message[], to: string): string[] =>
  messages.flatMap(({ receiver, changes }) =>
    receiver === to ? changes.map(({ transition }) => transition.kind) : [],
  );

describe('an alert that somebody has', () => {
  test('is told to everybody who was told of it, once, and nobody is reminded any more', async () => {
    const { all, account, alert } = await richmondLost();
    const sent = since(all);
    all.acknowledge(alert.id, 'alex', 'on the phone');
    expect(kindsTo(sent(), 'people')).toEqual(['alert.acknowledged']);
    expect(kindsTo(sent(), 'programs')).toEqual(['alert.acknowledged']);
    expect(sent()[0]?.changes[0]).toMatchObject({
      status: 'update',
      transition: { subject: `alert/${alert.number}`, from: null, to: 'alex', details: { comment: 'on the phone' } },
    });
    expect(explainNotTold(openOf(account), null)).toEqual({ reason: 'acknowledged', dueAt: null });
    await rounds(all, [account], 5 * 60);
    expect(reminders(sent())).toEqual([]);
  });

  test('would be told again without that', async () => {
    const { all, account } = await richmondLost();
    const sent = since(all);
    await rounds(all, [account], 5 * 60);
    expect(reminders(sent()).map(({ receiver }) => receiver)).toEqual(['people', 'programs', 'people', 'programs']);
  });

  test('stays so over a restart', async () => {
    const { all, account, alert } = await richmondLost();
    all.acknowledge(alert.id, 'alex');
    account.restart();
    const sent = since(all);
    await rounds(all, [account], 3 * 60);
    expect(reminders(sent())).toEqual([]);
    expect(openOf(account).acknowledged).toMatchObject({ by: 'alex' });
  });

  test('is told its end', async () => {
    const { all, account, alert } = await richmondLost();
    all.acknowledge(alert.id, 'alex');
    const sent = since(all);
    account.bringBack();
    await rounds(all, [account], 3);
    const last = sent().findLast(({ receiver }) => receiver === 'people');
    expect(last?.alert).toMatchObject({ id: alert.id, resolvedAt: expect.any(Number) });
  });

  test('is nobody’s again when the loss grows to another site, and the reminder says how it stands, not who had it', async () => {
    const { all, account, alert } = await richmondLost();
    all.acknowledge(alert.id, 'alex');
    const sent = since(all);
    account.lose(() => true);
    await rounds(all, [account], 7);
    expect(kindsTo(sent(), 'people')).toContain('registration.mass');
    expect(
      account.state.alerts.every(({ status, acknowledged }) => status !== 'open' || acknowledged === undefined),
    ).toBe(true);
    await rounds(all, [account], 3 * 60);
    expect(reminders(sent()).length).toBeGreaterThan(0);
    expect(reminders(sent()).every(({ changes }) => changes[0]?.transition.kind !== 'alert.acknowledged')).toBe(true);
  });

  test('is nobody’s again when it opens again', async () => {
    const { all, account, alert } = await richmondLost();
    all.acknowledge(alert.id, 'alex');
    account.bringBack();
    await rounds(all, [account], 3);
    expect(account.state.alerts.find(({ id }) => id === alert.id)).toMatchObject({ acknowledged: { by: 'alex' } });
    account.lose(({ address }) => address === '203.0.113.7');
    await rounds(all, [account], 7);
    expect(openOf(account).acknowledged).toBeUndefined();
  });

  test('may be taken over by another, and the same word from the same person changes nothing', async () => {
    const { all, alert } = await richmondLost();
    all.acknowledge(alert.id, 'alex', 'mine');
    const sent = since(all);
    all.acknowledge(alert.id, 'alex', 'mine');
    expect(sent()).toEqual([]);
    all.acknowledge(alert.id, 'kim', 'going home, Kim has it');
    expect(sent().map(({ changes }) => changes[0]?.transition.to)).toEqual(['kim', 'kim']);
  });
});

describe('an alert that the provider and an account share', () => {
  async function shared(): Promise<Scene & { id: string }> {
    const { all, account } = await scene((source) =>
      source === 'provider' ? ['people', 'programs'] : ['people', 'chat'],
    );
    all.world.openNotice({ subject: 'Calls fail', content: 'We look.', components: [1, 2] });
    await rounds(all, [account], 1);
    return { all, account, id: all.page.alerts[0]?.id ?? '' };
  }

  test('is told once to each, whichever part told it', async () => {
    const { all, account, id } = await shared();
    account.lose(() => true);
    await rounds(all, [account], 7);
    const sent = since(all);
    all.acknowledge(id, 'alex');
    expect(
      sent()
        .map(({ receiver }) => receiver)
        .toSorted(),
    ).toEqual(['chat', 'people', 'programs']);
    const before = sent().length;
    await rounds(all, [account], 5 * 60);
    expect(reminders(sent().slice(before))).toEqual([]);
  });

  test('is released once to each, and only where it was acknowledged', async () => {
    const { all, account, id } = await shared();
    account.lose(() => true);
    await rounds(all, [account], 7);
    const early = since(all);
    all.acknowledge(id, 'priya', '', true);
    expect(early()).toEqual([]);
    all.acknowledge(id, 'alex');
    const sent = since(all);
    all.acknowledge(id, 'priya', '', true);
    expect(
      sent()
        .map(({ receiver }) => receiver)
        .toSorted(),
    ).toEqual(['chat', 'people', 'programs']);
    expect(sent()[0]?.changes[0]?.transition).toMatchObject({
      kind: 'alert.acknowledged',
      from: 'alex',
      to: null,
      details: { releasedBy: 'priya' },
    });
    expect(joinParts([...all.page.alerts, ...account.state.alerts])[0]?.acknowledged).toBeNull();
    await rounds(all, [account], 3 * 60);
    expect(reminders(sent()).length).toBeGreaterThan(0);
  });

  test('is nobody’s again once an account joins it', async () => {
    const { all, account, id } = await shared();
    all.acknowledge(id, 'alex');
    expect(joinParts(all.page.alerts)[0]?.acknowledged).toMatchObject({ by: 'alex' });
    account.lose(() => true);
    await rounds(all, [account], 7);
    expect(
      joinParts([...all.page.alerts, ...account.state.alerts]).find((whole) => whole.id === id)?.acknowledged,
    ).toBeNull();
    const sent = since(all);
    await rounds(all, [account], 3 * 60);
    expect(reminders(sent()).length).toBeGreaterThan(0);
  });
});

const move = fc.record({
  what: fc.constantFrom(
    'lose one',
    'lose site',
    'lose all',
    'return all',
    'notice',
    'close',
    'take',
    'take',
    'wait',
    'restart',
  ),
  which: fc.nat(29),
  minutes: fc.constantFrom(1, 2, 7, 30, 130),
});

type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

test('law: whoever was told of an alert is told its end, there or in the alert that it became part of, whoever took it in between, and nobody is reminded of what somebody has', async () => {
  const law = async (moves: readonly Move[]): Promise<void> => {
    const { all, account } = await scene();
    const notices: number[] = [];
    for (const { what, which, minutes } of moves) {
      const phone = account.phones[which];
      if (what === 'lose one') account.lose((each) => each === phone);
      if (what === 'lose site') account.lose(({ address }) => address === phone?.address);
      if (what === 'lose all') account.lose(() => true);
      if (what === 'return all') account.bringBack();
      if (what === 'restart') account.restart();
      if (what === 'notice') {
        notices.push(all.world.openNotice({ subject: 'Calls fail', content: 'We look.', components: [1] }));
      }
      if (what === 'close' && notices.length > 0) all.world.closeNotice(notices.pop() ?? 0, { content: 'Mended.' });
      const open = (): Alert[] =>
        [...all.page.alerts, ...account.state.alerts].filter(({ status }) => status === 'open');
      if (what === 'take') for (const { id } of open()) all.acknowledge(id, 'alex');
      for (let minute = 0; minute < minutes; minute += 1) {
        const taken = new Set(joinParts(open()).flatMap(({ id, acknowledged }) => (acknowledged === null ? [] : [id])));
        const sent = since(all);
        await rounds(all, [account], 1);
        expect(
          reminders(sent()).filter(
            ({ alert }) =>
              taken.has(alert.id) &&
              joinParts(open()).some(({ id, acknowledged }) => id === alert.id && acknowledged !== null),
          ),
        ).toEqual([]);
      }
    }
    for (const notice of notices) all.world.closeNotice(notice, { content: 'Mended.' });
    account.bringBack();
    await rounds(all, [account], 90);
    const people = all.people();
    for (const id of new Set(people.flatMap(({ alert }) => (alert.number === null ? [] : [alert.id])))) {
      expect(findMissingEnd(people, id)).toBeNull();
    }
  };
  expect(await breach(fc.array(move, { maxLength: 25 }), law, 100)).toBeNull();
}, 600_000);
