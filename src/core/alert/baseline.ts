/** The summary of a first reading: what is watched, and what is open already. */
import type { DraftOf } from '../transition/transition.ts';
import { openNotices, type Snapshot } from '../page/snapshot.ts';
import { timestamp, type OpenAtBaseline } from '../transition/details.ts';
import type { Alert } from './record.ts';
import type { Watch } from './watch.ts';
import { plural } from '../text/plain.ts';

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
export function summaryDraft(
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
