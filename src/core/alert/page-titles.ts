/** Titles of the alerts of a status page. */
import { dropDuplicates } from '../page/groups.ts';
import type { ComponentMemory, Snapshot } from '../page/snapshot.ts';
import type { Alert } from './alert.ts';
import { toComponentId } from './subject.ts';
import { createPartRefusedTitle, type Title, createUnreachableTitle } from './title.ts';
import { toReadableLine } from '../text/markup.ts';
import { formatList, formatState } from '../text/plain.ts';

/** Few enough to read a title at a glance. */
const NAMED_IN_A_TITLE = 3;
/** Among the subjects of an alert: access to the page is refused. */
export const ACCESS = 'access';
/** Among the subjects of an alert: another page answers at the address. */
export const OTHER_PAGE = 'other page';

/** Null where the facts are gone: then the alert keeps its last title. */
export function createPageTitles(
  alerts: readonly Alert[],
  source: string,
  snapshot: Snapshot,
): (alert: Alert) => Title | null {
  const subjects = new Map((snapshot.notices ?? []).map(({ id, subject }) => [id, subject]));
  const components = new Map((snapshot.components ?? []).map((component) => [component.id, component]));
  const notices = new Map(alerts.map(({ id, notice }) => [id, notice]));
  const subjectOf = (notice: string | null | undefined): string | null => {
    const subject = subjects.get(notice ?? '');
    return subject === undefined ? null : toReadableLine(subject);
  };

  return (alert) => {
    switch (alert.family) {
      case 'notice':
        return noticeTitle(subjectOf(alert.notice));
      case 'source':
        return alert.status === 'open' ? readingTitle(source, alert.subjects, snapshot) : null;
      default: {
        if (alert.subjects.length === 0) return null;
        const hit = alert.subjects.flatMap((subject) => components.get(toComponentId(subject) ?? '') ?? []);
        return troubleTitle(dropDuplicates(hit), subjectOf(notices.get(alert.cause ?? '')), snapshot.page);
      }
    }
  };
}

function noticeTitle(subject: string | null): Title | null {
  return subject === null ? null : { title: subject, thing: subject, state: null };
}

/** `SIP Trunks degraded`, `SIP Trunks, Fax and 4 more degraded`, or the page when no component is known. */
function troubleTitle(hit: readonly ComponentMemory[], after: string | null, page: Snapshot['page']): Title {
  const names = hit.map(({ name }) => name);
  const thing = hit.length === 0 ? (page?.name ?? 'Status page') : formatList(names, NAMED_IN_A_TITLE);
  const states = new Set(hit.length === 0 ? [page?.state ?? 'not operational'] : hit.map((each) => each.state));
  const [only = ''] = states;
  const state = states.size === 1 ? formatState(only) : 'not operational';
  return { title: `${thing} ${state}${after === null ? '' : ` after “${after}” ended`}`, thing, state };
}

function readingTitle(source: string, subjects: readonly string[], { refused }: Snapshot): Title {
  const thing = `Status page “${source}”`;
  if (subjects.includes(OTHER_PAGE)) {
    return { title: `${thing} is another one now`, thing, state: 'another one' };
  }
  if (!subjects.includes(ACCESS)) return createUnreachableTitle(thing);
  return (
    createPartRefusedTitle(thing, refused?.parts) ?? {
      title: `${thing} refuses access`,
      thing,
      state: 'refusing access',
    }
  );
}
