/** Statuses of firms of which not all was read: cut off from the provider, and just started. */
import type { SourceView } from '../../src/core/view/system-status.ts';
import { account, carrier, deliveriesOf, firmCalm, provider, stood, toggles, type Stood } from './firm-statuses.ts';
import { alertView, partView, VIEWED_AT } from './views.ts';

const MINUTE = 60_000;
const CUT_OFF_FOR_MS = 9 * MINUTE;

/** Fields of a source that has not answered for nine minutes. */
function cutOff(): Pick<SourceView, 'lastReadAt' | 'unreadMs' | 'unsweptMs' | 'unreachable' | 'blind' | 'isWell'> {
  return {
    lastReadAt: VIEWED_AT - CUT_OFF_FOR_MS,
    unreadMs: CUT_OFF_FOR_MS,
    unsweptMs: CUT_OFF_FOR_MS,
    unreachable: true,
    blind: ['connection refused'],
    isWell: false,
  };
}

/** One firm whose provider answers neither for its page nor for the phones, while the carrier's page does. */
export function unknownFirm(): Stood {
  const banksia = account(
    'Banksia Legal',
    [
      [0, 20, 'Richmond'],
      [0, 20, 'Parramatta'],
      [0, 19, 'Carlton'],
    ],
    { ...toggles(), ...cutOff(), unread: ['registrations', 'toggles'] },
  );
  const page = { ...provider(0), ...cutOff() };
  const alert = alertView(44, [partView('provider'), partView('banksia-legal')], {
    severity: 'warning',
    title: 'Linewatch cannot reach Southern Cross Voice',
    why: 'Connection refused, by both at the same second',
    minutesAgo: 9,
    notified: ['ops-slack', 'ops-mail'].map((receiver) => ({ receiver, at: VIEWED_AT - 6 * MINUTE })),
  });
  return stood([page, carrier(true), banksia], [alert], { instance: 'Banksia Legal' });
}

/** Eighteen seconds after the start: two of twenty customers have not been read. */
export function startingFirm(): Stood {
  const calm = firmCalm();
  const awaited = { lastReadAt: null, unreadMs: 18_000, unsweptMs: 18_000, isWell: true, state: null };
  const sources = calm.status.sources.map((source): SourceView =>
    source.type === 'account' && ['hume-building-supplies', 'otway-transport'].includes(source.name)
      ? { ...source, ...awaited, phones: null, toggles: null }
      : source,
  );
  const { receivers } = deliveriesOf(calm).status;
  const status = { ...calm.status, startedAt: VIEWED_AT - 18_000, ended: [], sources, receivers };
  return { status, history: { recent: null, days: null } };
}
