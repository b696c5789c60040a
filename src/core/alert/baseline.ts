/** The summary of a first reading: what is watched, and what is open already. */
import type { DraftOf } from '../transition/transition.ts';
import { openNotices, type Snapshot } from '../page/snapshot.ts';
import { type OpenAtBaseline, timestamp } from '../transition/details.ts';
import type { Alert } from './alert.ts';
import type { Watch } from './watch.ts';
import { plural } from '../text/plain.ts';
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import type { AccountAlert } from './account-alert.ts';

/** `open`: the alerts of what is open already, which the summary lists. */
export function baselineDraft(snapshot: Snapshot, open: readonly Alert[], watch: Watch): DraftOf<'source.baseline'> {
  const { page, components } = snapshot;
  const notices = openNotices(snapshot).length;
  const count = components?.filter((component) => watch.component(component.id)).length ?? 0;
  const watched = [
    components === null ? 'components not read yet' : plural(count, 'component'),
    plural(notices, 'notice'),
  ];
  return summaryDraft(watched, open, {
    page: page === null ? null : { name: page.name, state: page.state, url: page.url },
    components: count,
    notices,
    open: open.map((alert) => openAlert(alert, snapshot)),
  });
}

/** `watching 60 components, 2 notices; nothing open`, or with the titles of what is open. */
function summaryDraft(
  watched: readonly string[],
  open: readonly Alert[],
  details: DraftOf<'source.baseline'>['details'],
): DraftOf<'source.baseline'> {
  const stillOpen = open.length === 0 ? 'nothing open' : `open now: ${open.map((alert) => alert.title).join('; ')}`;
  const to = `watching ${watched.join(', ')}; ${stillOpen}`;
  return { subject: 'source', kind: 'source.baseline', from: null, to, details };
}

function openAlert(alert: Alert, snapshot: Snapshot): OpenAtBaseline {
  const notice = snapshot.notices?.find((memory) => memory.id === alert.notice) ?? null;
  return {
    alert: alert.id,
    number: alert.number,
    severity: alert.severity,
    title: alert.title,
    subject: notice === null ? (alert.subjects[0] ?? 'page') : `notice/${notice.id}`,
    state: notice === null ? null : notice.state,
    since: timestamp(alert.startedAt),
    url: notice?.url ?? snapshot.page?.url ?? null,
  };
}

/** The summary of a first reading of an account: what is watched, and what is open already. */
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
