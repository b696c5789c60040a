/** The summary of a first reading of an account: what is watched, and what is open already. */
import type { AccountSnapshot } from '../account/snapshot.ts';
import { plural } from '../text/plain.ts';
import { timestamp, type OpenAtBaseline } from '../transition/details.ts';
import type { DraftOf } from '../transition/transition.ts';
import type { AccountAlert } from './account-alert.ts';
import { summaryDraft } from './baseline.ts';

export function accountBaselineDraft(
  snapshot: AccountSnapshot,
  open: readonly AccountAlert[],
): DraftOf<'source.baseline'> {
  const total = snapshot.phones?.length ?? 0;
  const registered = snapshot.phones?.filter(({ lost, missing }) => lost === null && missing === null).length ?? 0;
  const phones = snapshot.phones === null ? null : { registered, total };
  const toggles = snapshot.toggles?.length ?? null;
  const watched = [
    phones === null ? 'phones not read yet' : `${registered} of ${plural(total, 'phone')} registered`,
    toggles === null ? 'toggles not read yet' : plural(toggles, 'toggle'),
  ];
  const account = { phones, toggles };
  return summaryDraft(watched, open, {
    page: null,
    components: 0,
    notices: 0,
    account,
    open: open.map(openAtBaseline),
  });
}

function openAtBaseline(alert: AccountAlert): OpenAtBaseline {
  const { id, number, severity, title, startedAt } = alert;
  const [subject = 'registrations'] = alert.subjects;
  return { alert: id, number, severity, title, subject, state: null, since: timestamp(startedAt), url: null };
}
