/** Status of a status page and its alerts. */
import type { Alert } from '../../alert/alert.ts';
import { formatComponentState, formatNoticeState } from '../../wording/state-words.ts';
import { formatCount } from '../../text/plain.ts';
import type { SourceState } from '../../engine/page-kind.ts';
import { isPartRefused } from '../../observation/health.ts';
import { dropDuplicates } from '../../page/groups.ts';
import { isOperational } from '../../page/page-model.ts';
import { type ComponentMemory, type NoticeMemory, openNotices, type Snapshot } from '../../page/snapshot.ts';
import { toImportProgress, formatImportProgress } from './import-progress.ts';
import type { AlertStanding, OpenAlert, PlannedWork, SaidByProvider, SourceStanding } from '../system-status.ts';

/** State of a page that was read and shows none of the page as a whole, such as a feed. */
const STATELESS = 'Shows no state as a whole';

/** `state` and `title` are null before the first reading. */
export function describePageStanding({ snapshot, alerts, past }: SourceState): SourceStanding {
  const { page, components, notices } = snapshot;
  const shown = dropUnknown(components ?? []);
  const counted = dropDuplicates(shown).filter(({ unknown }) => unknown !== true);
  const down = counted.filter(({ state }) => !isOperational(state));
  const reading = toImportProgress(past);
  const isRefused = isPartRefused(snapshot.refused, 'page');
  const isStateless = page === null && notices !== null && snapshot.health.blind['page'] === undefined;
  return {
    source: {
      type: 'status page',
      title: page?.name ?? null,
      state: isRefused
        ? 'Access refused'
        : page !== null
          ? formatComponentState(page.state)
          : isStateless
            ? STATELESS
            : null,
      isWell: (snapshot.refused ?? null) === null && (page === null ? isStateless : isOperational(page.state)),
      url: page?.url ?? null,
      facts: [
        ...(components === null ? [] : [formatCount(counted.length, 'component')]),
        ...(notices === null ? [] : [formatCount(openNotices(snapshot).length, 'open notice')]),
        ...(reading === null ? [] : [formatImportProgress(reading)]),
      ],
      troubled: down.map(({ name, state }) => ({ name, state: formatComponentState(state) })),
      page: page === null ? null : { name: page.name, state: page.state },
      components: {
        total: counted.length,
        notOperational: down.map(({ id, name, state }) => ({ id, name, state })),
        all: shown.map(({ id, name, state, parentId, since }) => ({
          id,
          name,
          state,
          parentId,
          isOperational: isOperational(state),
          since,
        })),
      },
      notices: openNotices(snapshot).map(({ id, subject, type, state, url }) => ({ id, subject, type, state, url })),
      ...(reading !== null && { reading }),
    },
    alerts: alerts.map((alert) => alertStanding(alert, snapshot)),
  };
}

/** Without components of no known state: neither well nor faulty. A group stays for those in it. */
function dropUnknown(components: readonly ComponentMemory[]): readonly ComponentMemory[] {
  if (components.every(({ unknown }) => unknown !== true)) return components;
  const parents = new Set(components.flatMap(({ parentId, unknown }) => (unknown === true ? [] : (parentId ?? []))));
  return components.filter(({ id, unknown }) => unknown !== true || parents.has(id));
}

/** Updates of a notice, oldest first. */
export function listUpdatesOfNotice(
  { snapshot }: SourceState,
  notice: string,
): Pick<SaidByProvider, 'at' | 'state' | 'text'>[] {
  const { updates = [] } = snapshot.notices?.find(({ id }) => id === notice) ?? {};
  return updates.map(({ createdAt: at, state, content: text }) => ({ at, state, text }));
}

function alertStanding(alert: Alert, snapshot: Snapshot): AlertStanding {
  const notice = snapshot.notices?.find(({ id }) => id === alert.notice);
  if (notice === undefined) {
    const affected = troubled(alert.subjects, snapshot);
    return { alert, shown: { state: null, affected, words: null, url: snapshot.page?.url ?? null }, planned: null };
  }
  const { withdrawn, state, components, url } = notice;
  return {
    alert,
    shown: {
      state: withdrawn ? 'Withdrawn' : formatNoticeState(state),
      affected: (components ?? []).map(({ name }) => name),
      words: lastWords(notice),
      url,
      subject: notice.subject,
    },
    planned: plannedWork(notice),
  };
}

/** Subjects of an alert without a notice. */
function troubled(subjects: readonly string[], { components }: Snapshot): string[] {
  const hit = subjects.flatMap((subject) => components?.find(({ id }) => subject === `component/${id}`) ?? []);
  return dropDuplicates(hit).map(({ name }) => name);
}

function lastWords({ updates }: NoticeMemory): OpenAlert['words'] {
  const last = updates.findLast(({ content }) => content.trim() !== '');
  return last === undefined ? null : { at: last.createdAt, text: last.content };
}

function plannedWork(notice: NoticeMemory): PlannedWork | null {
  const { type, withdrawn, subject, beginsAt, endsAt, beganAt, endedAt, revision, url, components } = notice;
  if (type !== 'planned' || withdrawn) return null;
  return {
    subject,
    phase: phaseOf(notice),
    beginsAt,
    endsAt,
    beganAt,
    endedAt,
    revision,
    changedAt: notice.updatedAt ?? notice.firstSeenAt,
    affected: (components ?? []).map(({ name }) => name),
    words: lastWords(notice),
    url,
  };
}

function phaseOf({ state, timeline, closedAt, beganAt }: NoticeMemory): PlannedWork['phase'] {
  if (closedAt !== null) return state === 'cancelled' ? 'cancelled' : 'ended';
  return state === 'underway' || timeline === 'present' || beganAt !== null ? 'under way' : 'to come';
}
