/** How everything stands, for the page, the metrics and the readiness probe: from the daemon to plain values. */
import { facts } from '../alert/facts.ts';
import { viewOf, type Alert } from '../alert/record.ts';
import { endOf, isActive, silencedBy, type Silence } from '../alert/silence.ts';
import { componentLabel, noticeLabel } from '../briefing/state.ts';
import { plural } from '../briefing/text.ts';
import { isOperational } from '../status-page/model.ts';
import { openNotices, type NoticeMemory, type Snapshot } from '../status-page/snapshot.ts';
import { SEVERITIES } from '../transition/kind.ts';
import type {
  AlertView,
  EndedView,
  MaintenanceView,
  Overview,
  ReceiverView,
  SilenceView,
  SourceView,
} from '../web/overview.ts';
import type { Daemon } from './daemon.ts';
import type { Delivery } from './delivery.ts';
import type { Reading } from './meter.ts';
import type { SourceWatch } from './source-watch.ts';

export interface OverviewSetting {
  instance: string;
  timezone: string;
  now: number;
  startedAt: number;
  /** How long a source may go unread, in milliseconds. */
  unreadAfterMs(source: string): number;
  reading(source: SourceWatch): Reading;
}

const DAY_MS = 24 * 3_600_000;

export function overviewOf(daemon: Daemon, setting: OverviewSetting): Overview {
  const { instance, timezone, now, startedAt } = setting;
  const { sources, deliveries, itself } = daemon;
  const { silences } = itself.state;
  const alerts = sources.flatMap(({ state }) =>
    state.alerts.map((alert) => ({ alert, snapshot: state.snapshot, notice: noticeOf(alert, state.snapshot) })),
  );
  const told = [...alerts, ...itself.state.alerts.map((alert) => ({ alert, snapshot: null, notice: null }))].filter(
    ({ alert }) => !alert.muted,
  );
  return {
    instance,
    timezone,
    now,
    startedAt,
    sources: sources.map((source) => sourceView(source, setting)),
    open: told
      .filter(({ alert, notice }) => alert.status === 'open' && (notice === null || phaseOf(notice) !== 'to come'))
      .map(({ alert, snapshot, notice }) => openView(alert, snapshot, notice, silences, now))
      .toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || b.startedAt - a.startedAt),
    maintenance: told
      .flatMap(({ alert, notice }) => (notice === null ? [] : maintenanceView(alert, notice)))
      .toSorted((a, b) => (a.beginsAt ?? Infinity) - (b.beginsAt ?? Infinity)),
    ended: told.flatMap(({ alert, notice }) => endedView(alert, notice, now)).toSorted((a, b) => b.endedAt - a.endedAt),
    receivers: deliveries.map(receiverView),
    silences: silences.filter((silence) => endOf(silence) > now).map((silence) => silenceView(silence, now)),
    unsaved: daemon.unsaved(),
  };
}

function noticeOf(alert: Alert, { notices }: Snapshot): NoticeMemory | null {
  return notices?.find(({ id }) => id === alert.notice) ?? null;
}

function sourceView(source: SourceWatch, setting: OverviewSetting): SourceView {
  const { name, state } = source;
  const { page, components, notices, health } = state.snapshot;
  const { at, ago } = setting.reading(source);
  const open = openNotices(state.snapshot).length;
  return {
    name,
    type: 'status page',
    title: page?.name ?? null,
    state: page === null ? null : componentLabel(page.state),
    isWell: page !== null && isOperational(page.state),
    url: page?.url ?? null,
    lastReadAt: at,
    unreadMs: ago,
    unreadAfterMs: setting.unreadAfterMs(name),
    unreachable: health.unreachable,
    blind: Object.entries(health.blind).map(([part, { why }]) => `${part}: ${why}`),
    facts: [
      ...(components === null ? [] : [plural(components.length, 'component')]),
      ...(notices === null ? [] : [plural(open, 'open notice')]),
    ],
    troubled: (components ?? [])
      .filter((component) => !isOperational(component.state))
      .map((component) => ({ name: component.name, state: componentLabel(component.state) })),
  };
}

function openView(
  alert: Alert,
  snapshot: Snapshot | null,
  notice: NoticeMemory | null,
  silences: readonly Silence[],
  now: number,
): AlertView {
  const changes = alert.lastChange === null ? [] : [alert.lastChange];
  const { number, source, severity, title, startedAt, subjects } = alert;
  return {
    number,
    source,
    severity,
    title,
    startedAt,
    state: notice === null ? null : noticeLabel(notice.state),
    affected: notice === null ? troubledBy(subjects, snapshot) : (notice.components ?? []).map(({ name }) => name),
    words: notice === null ? null : lastWords(notice),
    url: notice?.url ?? snapshot?.page?.url ?? null,
    silencedBy: silencedBy(silences, facts(viewOf(alert), changes, {}), now)?.id ?? null,
  };
}

/** What an alert without a notice is about, as it stands now. */
function troubledBy(subjects: readonly string[], snapshot: Snapshot | null): string[] {
  return subjects.flatMap((subject) => {
    const component = snapshot?.components?.find(({ id }) => subject === `component/${id}`);
    return component === undefined ? [] : [component.name];
  });
}

function lastWords({ updates }: NoticeMemory): AlertView['words'] {
  const last = updates.findLast(({ content }) => content.trim() !== '');
  return last === undefined ? null : { at: last.createdAt, text: last.content };
}

function phaseOf({ type, state, timeline, closedAt, beganAt }: NoticeMemory): MaintenanceView['phase'] | null {
  if (type !== 'planned') return null;
  if (closedAt !== null) return state === 'cancelled' ? 'cancelled' : 'ended';
  return state === 'underway' || timeline === 'present' || beganAt !== null ? 'under way' : 'to come';
}

function maintenanceView(alert: Alert, notice: NoticeMemory): MaintenanceView[] {
  const phase = phaseOf(notice);
  if (phase === null || notice.withdrawn) return [];
  const { subject, beginsAt, endsAt, revision, url, components } = notice;
  return [
    {
      alert: alert.id,
      number: alert.number,
      source: alert.source,
      severity: alert.severity,
      subject,
      phase,
      beginsAt,
      endsAt,
      revision,
      changedAt: notice.updatedAt ?? notice.firstSeenAt,
      affected: (components ?? []).map(({ name }) => name),
      words: lastWords(notice),
      url,
    },
  ];
}

function endedView(alert: Alert, notice: NoticeMemory | null, now: number): EndedView[] {
  const { number, source, severity, title, startedAt, resolvedAt } = alert;
  if (alert.status !== 'resolved' || resolvedAt === null || now - resolvedAt > DAY_MS) return [];
  const state = notice === null ? null : notice.withdrawn ? 'Withdrawn' : noticeLabel(notice.state);
  return [{ number, source, severity, title, startedAt, endedAt: resolvedAt, state, url: notice?.url ?? null }];
}

function receiverView(delivery: Delivery): ReceiverView {
  const { refused, failing } = delivery.state;
  const waiting = delivery.waiting();
  return {
    name: delivery.receiver.name,
    type: delivery.receiver.type,
    waiting: waiting.length,
    oldestWaitingAt: waiting[0]?.promisedAt ?? null,
    refused: refused.length,
    refusal: refused.at(-1)?.reason ?? null,
    failing: failing === null ? null : { since: failing.since, reason: failing.reason },
  };
}

function silenceView(silence: Silence, now: number): SilenceView {
  const { id, matchers, from, comment } = silence;
  return { id, matchers, from, until: endOf(silence), comment, active: isActive(silence, now) };
}
