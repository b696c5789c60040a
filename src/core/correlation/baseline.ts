/** Summary of a first reading: what is watched, and what is open already. */
import { hashIdentity, pickVendor, type Draft, type DraftOf, type Source } from '../transition/transition.ts';
import { dropDuplicates } from '../page/groups.ts';
import { isOperational } from '../page/page-model.ts';
import { type NoticeMemory, openNotices, type Snapshot } from '../page/snapshot.ts';
import { toComponentDetails } from '../page/compare-components.ts';
import { toPageDetails } from '../page/compare-page.ts';
import { toSubject, toNoticeDetails } from '../page/notice.ts';
import { type OpenAtBaseline, toTimestamp } from '../transition/details.ts';
import type { Alert, Change } from '../alert/alert.ts';
import type { Watch } from '../alert/watch.ts';
import { formatCount } from '../text/plain.ts';
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import type { RegistrationSettings } from '../account/settings.ts';
import type { AccountAlert } from './account-alert.ts';

/** `open`: alerts that the summary lists as open already. */
export function draftBaseline(snapshot: Snapshot, open: readonly Alert[], watch: Watch): DraftOf<'source.baseline'> {
  const { page, components } = snapshot;
  const notices = openNotices(snapshot).length;
  const count = dropDuplicates(components?.filter(({ id }) => watch.component(id)) ?? []).length;
  const watched = [
    components === null ? 'components not read yet' : formatCount(count, 'component'),
    snapshot.notices === null ? 'notices not read yet' : formatCount(notices, 'notice'),
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
    ...timesOf(alert, notice),
    url: notice?.url ?? snapshot.page?.url ?? null,
  };
}

/**
 * Start by the provider's word; null for trouble without a notice, which may be days old. Planned work that has not begun
 * has its window instead.
 */
function timesOf(
  { startedAt }: Alert,
  notice: NoticeMemory | null,
): Pick<OpenAtBaseline, 'since' | 'begins_at' | 'ends_at'> {
  if (notice === null) return { since: null };
  const { type, state, beganAt, beginsAt, endsAt } = notice;
  // A start in the future comes from a wrong clock, or belongs to planned work.
  const since = beganAt !== null && beganAt <= startedAt ? toTimestamp(beganAt) : null;
  const isAhead = type === 'planned' && state !== 'underway' && since === null;
  return { since, ...(isAhead && { begins_at: toTimestamp(beginsAt), ends_at: toTimestamp(endsAt) }) };
}

/** The change that a reminder repeats for an alert that was open before the watch began and has not changed since. */
export function createOpeningChange(alert: Alert, snapshot: Snapshot, source: Source, now: number): Change | null {
  const draft = openingDraft(alert, snapshot);
  if (draft === null) return null;
  const id = hashIdentity('open at baseline', alert.id);
  return { transition: { ...draft, id, source: source.name, at: now, ...pickVendor(source) }, status: 'open' };
}

/** The state before is unknown: `from` and `to` are both the current one. */
function openingDraft(alert: Alert, { page, components, notices }: Snapshot): Draft | null {
  const notice = notices?.find(({ id }) => id === alert.notice);
  if (notice !== undefined) {
    const details = toNoticeDetails(notice, notice.updates.slice(-1));
    return { subject: toSubject(notice.id), kind: 'notice.opened', from: null, to: notice.state, details };
  }
  const [component] = dropDuplicates(components?.filter(({ id }) => alert.subjects.includes(`component/${id}`)) ?? []);
  if (component !== undefined) {
    const { id, state } = component;
    const parents = new Map(components?.map((each) => [each.id, each.parentId]));
    const names = new Map(components?.map((each) => [each.id, each.name]));
    const details = toComponentDetails(component, { parents, names }, null);
    return { subject: `component/${id}`, kind: 'component.state', from: state, to: state, details };
  }
  if (page === null || isOperational(page.state)) return null;
  const { state } = page;
  return {
    subject: 'page',
    kind: 'page.state',
    from: state,
    to: state,
    details: { ...toPageDetails(page), notice: null },
  };
}

/** Summary of a first reading of an account: what is watched, and what is open already. */
export function draftAccountBaseline(
  snapshot: AccountSnapshot,
  open: readonly AccountAlert[],
  settings: RegistrationSettings,
): DraftOf<'source.baseline'> {
  const total = snapshot.phones?.length ?? 0;
  const registered = snapshot.phones?.filter(({ lost, missing }) => lost === null && missing === null).length ?? 0;
  const phones = snapshot.phones === null ? null : { registered, total };
  const extensions = extensionsOf(snapshot, settings);
  const toggles = snapshot.toggles?.length ?? null;
  const counted = extensions > total ? formatCount(extensions, 'extension') : formatCount(total, 'phone');
  const watched = [
    phones === null ? 'phones not read yet' : `${registered} of ${counted} registered`,
    toggles === null ? 'toggles not read yet' : formatCount(toggles, 'toggle'),
  ];
  const account = { phones, ...(phones !== null && extensions > total && { extensions }), toggles };
  return summaryDraft(watched, open, {
    page: null,
    components: 0,
    notices: 0,
    account,
    open: open.map(openAtBaseline),
  });
}

/**
 * Counts extensions that may have a phone; 0 if only some are watched. Phones that are offline when the watch begins, as
 * after a rename of the account, are known from the list of extensions alone.
 */
function extensionsOf({ phones, extensions }: AccountSnapshot, settings: RegistrationSettings): number {
  if (settings.extensions !== 'all') return 0;
  const numbers = [...(extensions ?? []), ...(phones ?? []).map(({ extension }) => ({ number: extension }))];
  return new Set(numbers.map(({ number }) => number)).difference(new Set(settings.ignore)).size;
}

function openAtBaseline(alert: AccountAlert): OpenAtBaseline {
  const { id, number, severity, title, startedAt, openedAt } = alert;
  const [subject = 'registrations'] = alert.subjects;
  // An alert that is as old as the first reading began before it, at an unknown time.
  const since = startedAt < openedAt ? toTimestamp(startedAt) : null;
  return { alert: id, number, severity, title, subject, state: null, since, url: null };
}
