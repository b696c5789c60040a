/** What several laws of delivery ask of the messages that somebody has. */
import { expect } from 'vitest';
import type { PageStepResult } from '../../src/core/engine/page-kind.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { PaperReceiver } from '../support/paper-daemon.ts';

/** What each recipient of a receiver has; where it is one recipient, what it took. */
export function inboxesOf({ recipients, inboxes, taken }: PaperReceiver): Message[][] {
  return recipients === undefined ? [taken] : recipients.map((recipient) => inboxes[recipient] ?? []);
}

export function toldIds(messages: readonly Message[]): string[] {
  return messages
    .filter(({ reminder }) => reminder === 0)
    .flatMap(({ changes }) => changes.map(({ transition }) => transition.id));
}

/** Transitions by the alert they are on and the source that tells of it, in the order given. */
function byAlert(entered: PageStepResult['entered'], ids: readonly string[]): Map<string, string[]> {
  const alerts = new Map(
    entered.map(({ transition, alert }) => [
      transition.id,
      alert === null ? 'none' : `${alert.id} ${transition.source}`,
    ]),
  );
  return Map.groupBy(
    ids.filter((id) => alerts.has(id) && alerts.get(id) !== 'none'),
    (id) => alerts.get(id) ?? 'none',
  );
}

export function expectInOrder(entered: PageStepResult['entered'], told: readonly string[]): void {
  const all = new Set(told);
  const order = byAlert(
    entered,
    entered.flatMap(({ transition: { id } }) => (all.has(id) ? [id] : [])),
  );
  expect(Object.fromEntries(byAlert(entered, [...new Set(told)]))).toEqual(Object.fromEntries(order));
}
