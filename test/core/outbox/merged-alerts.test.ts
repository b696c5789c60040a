/** When receivers are sent that the losses of an alert became part of another one. */
import { expect, test } from 'vitest';
import { createAlert } from '../../../src/core/alert/alert.ts';
import { enqueue } from '../../../src/core/outbox/enqueue.ts';
import type { OutageDetails } from '../../../src/core/transition/details.ts';
import { change, NOW } from '../../support/messages.ts';
import { routingTo } from '../../support/routing.ts';

const MINUTE = 60_000;

/** Per receiver: minutes until it is due, and the alert whose message says the same. */
function sentTo(own: Pick<OutageDetails, 'goes_on_in'>): Record<string, { waits: number; into?: string }> {
  const routing = routingTo(['people', 'pager', 'programs'], { groupWait: 0 });
  const receivers = new Map([...routing.receivers, ['pager', { audience: 'people' as const, isPager: true }]]);
  const alert = createAlert({ id: 'a', number: 2, source: 'acme', startedAt: NOW, family: 'phones', now: NOW });
  const details = own as OutageDetails;
  const { transition } = change('outage.suspected', 'registrations', { from: null, to: 2, details }, 'update');
  const entered = { transition, status: 'update' as const, alert };
  const entries = enqueue([entered], [alert], { now: NOW, routing: { ...routing, receivers } });
  return Object.fromEntries(
    entries.flatMap(({ to }) =>
      to.map(({ receiver, dueAt, into }) => [
        receiver,
        { waits: (dueAt - NOW) / MINUTE, ...(into !== undefined && { into }) },
      ]),
    ),
  );
}

test('people read of it six minutes later, or in a message of the larger alert; pagers and programs at once', () => {
  expect(sentTo({ goes_on_in: { alert: 'b', number: 1 } })).toEqual({
    people: { waits: 6, into: 'b' },
    pager: { waits: 0 },
    programs: { waits: 0 },
  });
});

test('a suspicion that moves nothing waits for nothing', () => {
  expect(sentTo({})).toEqual({ people: { waits: 0 }, pager: { waits: 0 }, programs: { waits: 0 } });
});
