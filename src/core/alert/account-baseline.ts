/** The summary of a first reading of an account: what is watched, and what is open already. */
import type { AccountSnapshot } from '../account/snapshot.ts';
import { timestamp, type OpenAtBaseline } from '../transition/details.ts';
import type { DraftOf } from '../transition/draft.ts';
import type { AccountAlert } from './account-alert.ts';

export function accountBaselineDraft(
  snapshot: AccountSnapshot,
  open: readonly AccountAlert[],
): DraftOf<'source.baseline'> {
  const total = snapshot.phones?.length ?? 0;
  const registered = snapshot.phones?.filter(({ lost, missing }) => lost === null && missing === null).length ?? 0;
  const phones = snapshot.phones === null ? null : { registered, total };
  const toggles = snapshot.toggles?.length ?? null;
  const said = [
    phones === null
      ? 'phones not read yet'
      : `${registered} of ${total} ${total === 1 ? 'phone' : 'phones'} registered`,
    toggles === null ? 'toggles not read yet' : `${toggles} ${toggles === 1 ? 'toggle' : 'toggles'}`,
  ];
  const stillOpen = open.length === 0 ? 'nothing open' : `open now: ${open.map((alert) => alert.title).join('; ')}`;
  return {
    subject: 'source',
    kind: 'source.baseline',
    from: null,
    to: `watching ${said.join(', ')}; ${stillOpen}`,
    details: { page: null, components: 0, notices: 0, account: { phones, toggles }, open: open.map(openAtBaseline) },
  };
}

function openAtBaseline(alert: AccountAlert): OpenAtBaseline {
  const { id, number, severity, title, startedAt } = alert;
  const [subject = 'registrations'] = alert.subjects;
  return { alert: id, number, severity, title, subject, state: null, since: timestamp(startedAt), url: null };
}
