/** The laws of delivery: what is promised arrives, once, in order, when it should. */
import { expect, test } from 'vitest';
import { isWithin } from '../../src/core/text/hours.ts';
import type { Alert } from '../../src/core/alert/alert.ts';
import { isNews } from '../../src/core/correlation/notify-decision.ts';
import type { PageStepResult } from '../../src/core/engine/page-kind.ts';
import type { Status } from '../../src/core/transition/kind.ts';
import type { Transition } from '../../src/core/transition/transition.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { MINUTE, type PaperReceiver } from '../support/paper-daemon.ts';
import { expectInOrder, inboxesOf, toldIds } from './delivered-laws.ts';
import { besides, live, NIGHT, storyOf, writtenStory } from './delivered-lives.ts';
import { badWeather, clearWeather } from './history.ts';
import { breach } from '../support/runs.ts';
import { saysHowItStands } from './story-laws.ts';

const LONG = { timeout: 3_600_000 };

/** Each message once, however often it was sent. */
function once(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((message) => [`${message.id} ${message.reminder}`, message])).values()];
}

/** Whoever rings until the end is told of one alert at a time, and of none in passing. */
function expectEachByItself({ ringsUntilTheEnd = false, taken }: PaperReceiver): void {
  if (!ringsUntilTheEnd) return;
  for (const { alerts, alert, changes } of taken) {
    expect(alerts, alert.title).toBeUndefined();
    const open = changes.flatMap(({ transition }) =>
      transition.kind === 'source.baseline' && alert.number === null ? transition.details.open : [],
    );
    expect(open, alert.title).toEqual([]);
  }
}

/** Whoever was told of an alert knows how it stands, also where several share one message. */
function expectAllKnowHowItStands(
  entered: PageStepResult['entered'],
  messages: readonly Message[],
  alerts: readonly Pick<Alert, 'id' | 'number' | 'status'>[],
): void {
  const alertOf = new Map(entered.map(({ transition, alert }) => [transition.id, alert?.id]));
  const told = new Map<string, 'open' | 'resolved'>();
  for (const message of messages) {
    for (const change of message.changes) {
      // A notice's end leaves open what phones of the same alert are still lost.
      const goesOn = change.transition.kind === 'notice.closed' && change.status === 'update';
      const stands = goesOn ? null : saysHowItStands(change);
      // A process that is killed right after its commit can show nobody what it entered.
      if (stands !== null) told.set(alertOf.get(change.transition.id) ?? message.alert.id, stands);
    }
  }
  // A page and an account may each have their part in one alert, which is open as long as one of them is.
  const parts = [...Map.groupBy(alerts, ({ id }) => id)].filter(([id]) => told.has(id));
  expect(parts.map(([id, [first]]) => [first?.number, told.get(id)])).toEqual(
    parts.map(([, all]) => [all[0]?.number, all.some(({ status }) => status === 'open') ? 'open' : 'resolved']),
  );
}

/** Of many phones only the latest counts, and while the provider's trouble explains their loss it is not counted aloud. */
function isForPeople({ kind }: Transition, status: Status): boolean {
  return isNews(kind, status) && !(kind.startsWith('registration.') && status === 'update');
}

test('everything promised arrives: each change once to each receiver, in order within its alert', LONG, async () => {
  const stories = storyOf(badWeather, besides({ ends: false, moods: true, silences: false }));
  expect(
    await breach(
      stories,
      async (story) => {
        const { receivers, entered, waiting, alerts } = await live(story);
        expect(waiting).toBe(0);
        const all = Object.values(receivers).flatMap((receiver) =>
          inboxesOf(receiver).map((inbox) => ({ receiver, inbox })),
        );
        for (const { receiver, inbox } of all) {
          const told = toldIds(inbox);
          expect(told.filter((id, index) => told.indexOf(id) !== index)).toEqual([]);
          expectInOrder(entered, told);
          expectAllKnowHowItStands(entered, inbox, alerts);
          expectEachByItself(receiver);
          const due = entered.filter(
            ({ transition, status, alert }) =>
              // Nobody is told through itself that it does not take what it is told.
              !('receiver' in transition.details) &&
              // A summary rings nobody.
              !(receiver.ringsUntilTheEnd === true && transition.kind === 'source.baseline') &&
              alert?.muted !== true &&
              (receiver.audience === 'programs' || isForPeople(transition, status)),
          );
          const known = new Set(told);
          expect(due.filter(({ transition }) => !known.has(transition.id)).map(({ transition }) => transition)).toEqual(
            [],
          );
        }
      },
      20,
      writtenStory,
    ),
  ).toBeNull();
});

test(
  'stopped, killed and silenced, nothing is told twice under another id, and all know how it stands',
  LONG,
  async () => {
    const stories = storyOf(clearWeather, besides({ ends: true, moods: true, silences: true }));
    expect(
      await breach(
        stories,
        async (story) => {
          const { receivers, entered, waiting, alerts } = await live(story);
          expect(waiting).toBe(0);
          for (const messages of Object.values(receivers).flatMap(inboxesOf).map(once)) {
            const told = toldIds(messages);
            expect(told.filter((id, index) => told.indexOf(id) !== index)).toEqual([]);
            expectAllKnowHowItStands(entered, messages, alerts);
          }
        },
        20,
        writtenStory,
      ),
    ).toBeNull();
  },
);

test('what is critical goes out at once, and nobody is woken by what is not', LONG, async () => {
  const stories = storyOf(clearWeather, besides({ ends: false, moods: false, silences: false }));
  expect(
    await breach(
      stories,
      async (story) => {
        const { receivers } = await live(story);
        for (const { calls } of [receivers.slack, receivers.mail]) {
          for (const { at, messages } of calls) {
            for (const { alert, promisedAt, replaces, changes } of messages) {
              const passes =
                story.quiet === 'none' || (story.quiet === 'but for critical' && alert.severity === 'critical');
              if (!passes) expect(`${isWithin(NIGHT, at)} ${alert.title}`).toBe(`false ${alert.title}`);
              const isSummary = changes.every(({ transition }) => transition.kind === 'source.baseline');
              if (!passes || isSummary || replaces > 0 || alert.severity !== 'critical') continue;
              // The accounts of a page are told of together in the thread of its trouble, at the full minute.
              if (changes.some(({ transition }) => transition.kind.startsWith('registration.'))) {
                expect(at - promisedAt).toBeLessThanOrEqual(MINUTE);
                continue;
              }
              expect(`${alert.title} after ${at - promisedAt} ms`).toBe(`${alert.title} after 0 ms`);
            }
          }
        }
      },
      20,
      writtenStory,
    ),
  ).toBeNull();
});
