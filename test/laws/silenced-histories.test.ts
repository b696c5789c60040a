/** The laws of silences: what is muted never blocks what is not, and when it is over everything has arrived in order. */
import { expect, test } from 'vitest';
import type { AlertView } from '../../src/core/alert/alert.ts';
import { isNews } from '../../src/core/correlation/notify-decision.ts';
import { collectFacts } from '../../src/core/alert/matchers.ts';
import { type Silence, findSilence } from '../../src/core/alert/silence.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { labelsOf } from '../support/paper-accounts.ts';
import { breach } from '../support/runs.ts';
import type { PaperDaemon } from '../support/paper-daemon.ts';
import { expectInOrder, inboxesOf, toldIds } from './delivered-laws.ts';
import { besides, live, storyOf, writtenStory } from './delivered-lives.ts';
import { clearWeather } from './history.ts';

const LONG = { timeout: 3_600_000 };

/** The part of each alert that a source tells, as its book has it. */
type Book = ReadonlyMap<string, AlertView>;

function keyOf({ id, source }: AlertView): string {
  return `${id} ${source}`;
}

function bookOf({ daemon }: PaperDaemon): Book {
  const all = [...daemon.sources, ...daemon.accounts, daemon.own].flatMap(({ state }) => state.alerts);
  return new Map(all.filter(({ status }) => status === 'open').map((alert) => [keyOf(alert), alert]));
}

/** Its alert is judged as it stands, by the book or by what was promised last of it. */
function isMuted({ alert, changes }: Message, standing: AlertView, silences: readonly Silence[], now: number): boolean {
  const news = changes.filter(({ transition, status }) => isNews(transition.kind, status));
  return (news.length === 0 ? changes : news).every((change) => {
    const { hits, values } = collectFacts({ ...alert, severity: standing.severity }, [change], labelsOf(alert.source));
    const known = { values: new Map([...values, ...partsOf(standing)]), hits: standing.hits ?? hits };
    return findSilence(silences, known, now) !== null;
  });
}

function partsOf({ hits }: AlertView): [string, readonly (readonly string[])[]][] {
  return hits === undefined
    ? []
    : [
        ['extension', hits.extension],
        ['site', hits.site],
      ];
}

/** Nothing of an alert waits that is due while any of it is not muted. */
function expectNothingBlocked(process: PaperDaemon, now: number): void {
  const book = bookOf(process);
  const { silences } = process.daemon.own.state;
  for (const delivery of process.daemon.deliveries) {
    const waiting = delivery.waiting().filter(({ alert }) => alert.number !== null);
    for (const [id, messages] of Map.groupBy(waiting, ({ alert }) => alert.id)) {
      // People wait for company, for the end of quiet hours, and for what is told with it.
      if (messages.some(({ dueAt }) => dueAt > now)) continue;
      for (const message of messages) {
        const later = messages.findLast(({ alert }) => alert.source === message.alert.source) ?? message;
        const promised = later.alert;
        const standing = delivery.receiver.audience === 'programs' ? (book.get(keyOf(promised)) ?? promised) : promised;
        const what = `${delivery.receiver.name} waits for ${message.alert.title} (${id})`;
        expect(isMuted(message, standing, silences, now) ? null : what).toBeNull();
      }
    }
  }
}

test('while a silence lasts, nothing waits behind it that it does not cover as the alert is now', LONG, async () => {
  const stories = storyOf(clearWeather, besides({ ends: false, moods: false, silences: true }));
  expect(
    await breach(stories, async (story) => void (await live(story, expectNothingBlocked)), 20, writtenStory),
  ).toBeNull();
});

test(
  'when all silences are over, programs have every change once and everybody the order of each alert',
  LONG,
  async () => {
    const stories = storyOf(clearWeather, besides({ ends: false, moods: true, silences: true }));
    expect(
      await breach(
        stories,
        async (story) => {
          const { receivers, entered, waiting } = await live(story);
          expect(waiting).toBe(0);
          const told = toldIds(receivers.bus.taken);
          const due = entered.filter(
            ({ transition, alert }) => alert?.muted !== true && !('receiver' in transition.details),
          );
          expect(told.filter((id, index) => told.indexOf(id) !== index)).toEqual([]);
          const known = new Set(told);
          expect(due.filter(({ transition }) => !known.has(transition.id)).map(({ transition }) => transition)).toEqual(
            [],
          );
          for (const inbox of Object.values(receivers).flatMap(inboxesOf)) expectInOrder(entered, toldIds(inbox));
        },
        20,
        writtenStory,
      ),
    ).toBeNull();
  },
);
