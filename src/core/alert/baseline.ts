/** The summary of a first reading: what is watched, and what is open already. */
import type { DraftOf } from '../transition/draft.ts';
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
  const stillOpen = open.length === 0 ? 'nothing open' : `open now: ${open.map((alert) => alert.title).join('; ')}`;
  return {
    subject: 'source',
    kind: 'source.baseline',
    from: null,
    to: `watching ${watched.join(', ')}; ${stillOpen}`,
    details: {
      page: page === null ? null : { name: page.name, state: page.state, url: page.url },
      components: count,
      notices,
      open: open.map((alert) => openAlert(alert, snapshot)),
    },
  };
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
