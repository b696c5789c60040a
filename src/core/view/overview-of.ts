/** How everything stands, for the page, the metrics and the readiness probe: from the daemon to plain values. */
import type { AccountState } from '../engine/account.ts';
import { facts, type Facts } from '../alert/facts.ts';
import { viewOf, type Alert } from '../alert/record.ts';
import { endOf, isActive, silencedBy, type Silence } from '../alert/silence.ts';
import type { Whole } from '../alert/whole.ts';
import { whyText } from '../wording/why.ts';
import type { SourceState } from '../engine/page.ts';
import { unreadOf } from '../observation/health.ts';
import { SEVERITIES } from '../transition/kind.ts';
import type {
  AlertView,
  EndedView,
  MaintenanceView,
  Overview,
  PartView,
  ReceiverView,
  SilenceView,
  SourceView,
} from './overview.ts';
import { openAndEnded, type OpenAndEnded } from './open-and-ended.ts';
import { receiverStanding, type KeptOfReceiver } from './receiver-standing.ts';
import { accountStanding } from './account-standing.ts';
import { pageStanding } from './page-standing.ts';
import type { AlertStanding, PlannedWork, Reading, Shown, SourceStanding, Standing } from './standing.ts';

export interface OverviewSetting {
  instance: string;
  timezone: string;
  now: number;
  startedAt: number;
  /** How long a source may go unread, in milliseconds. */
  unreadAfterMs(source: string): number;
  reading(source: Shown): Reading;
  /** A source could not be shown. */
  failed(source: string, error: unknown): void;
  /** What matchers can ask about a source, from the configuration. */
  labels(source: string): Readonly<Record<string, string>>;
}

/** The daemon, as far as it is shown. */
interface Watching {
  readonly sources: readonly Shown[];
  readonly accounts: readonly Shown[];
  readonly itself: { readonly state: { readonly alerts: readonly Alert[]; readonly silences: readonly Silence[] } };
  readonly deliveries: readonly ShownDelivery[];
  /** What went wrong inside with a source, if something did. */
  surprise(source: string): string | null;
  unsaved(): string[];
}

interface ShownDelivery {
  readonly receiver: { readonly name: string; readonly type: string };
  readonly state: KeptOfReceiver;
  waiting(): readonly { promisedAt: number }[];
}

/** More phones than that are rather a site or an account. */
const MOST_EXTENSIONS = 5;

export function overviewOf(daemon: Watching, setting: OverviewSetting): Overview {
  const { instance, timezone, now, startedAt } = setting;
  const { deliveries, itself } = daemon;
  const { silences } = itself.state;
  const watches: readonly Shown[] = [...daemon.sources, ...daemon.accounts];
  const standings = watches.map((watch) => ({ watch, ...standingOrNot(watch, setting) }));
  const alerts = [
    ...standings.flatMap((standing) => standing.alerts),
    ...itself.state.alerts.map((alert): AlertStanding => ({ alert, shown: NOTHING, planned: null })),
  ].filter(({ alert }) => !alert.muted);
  const shownOf = new Map(alerts.map(({ alert, shown }) => [alert, shown]));
  const begun = alerts.flatMap(({ alert, planned }) => (planned?.phase === 'to come' ? [] : [alert]));
  const { open, ended } = openAndEnded(begun, now);
  return {
    instance,
    timezone,
    now,
    startedAt,
    sources: standings.map(({ watch, source }) => sourceView(watch, source, daemon.surprise(watch.name), setting)),
    open: open.map((whole) => openView(whole, shownOf, silences, setting)).toSorted(byWeight),
    maintenance: alerts
      .flatMap(({ alert, planned }) => (planned === null ? [] : [maintenanceView(alert, planned)]))
      .toSorted((a, b) => (a.beginsAt ?? Infinity) - (b.beginsAt ?? Infinity)),
    ended: ended.map((whole) => endedView(whole, shownOf)).toSorted((a, b) => b.endedAt - a.endedAt),
    receivers: deliveries.map(receiverView),
    silences: silences.filter((silence) => endOf(silence) > now).map((silence) => silenceView(silence, now)),
    unsaved: daemon.unsaved(),
  };
}

/** A source that cannot be shown takes no other with it, nor the page. */
function standingOrNot({ name, state }: Shown, setting: OverviewSetting): Standing {
  try {
    return standingOf(state);
  } catch (error) {
    setting.failed(name, error);
    const type = isAccount(state) ? 'account' : 'status page';
    return { source: { ...UNSHOWN, type }, alerts: [] };
  }
}

function standingOf(state: SourceState | AccountState): Standing {
  return isAccount(state) ? accountStanding(state) : pageStanding(state);
}

function isAccount(state: SourceState | AccountState): state is AccountState {
  return 'phones' in state.snapshot;
}

const UNSHOWN = { title: null, state: 'Cannot be shown', isWell: false, url: null, facts: [], troubled: [] };

/** Linewatch says all there is to say of itself in the title. */
const NOTHING: AlertStanding['shown'] = { state: null, affected: [], words: null, url: null };

function sourceView(
  watch: Shown,
  source: SourceStanding,
  surprise: string | null,
  setting: OverviewSetting,
): SourceView {
  const { health } = watch.state.snapshot;
  const { at, ago } = setting.reading(watch);
  return {
    ...source,
    name: watch.name,
    lastReadAt: at,
    unreadMs: ago,
    unreadAfterMs: setting.unreadAfterMs(watch.name),
    unreachable: health.unreachable,
    blind: [...(surprise === null ? [] : [`the sweep: ${surprise}`]), ...unreadOf(watch.state.snapshot)],
  };
}

type ShownOf = ReadonlyMap<Alert, AlertStanding['shown']>;

function openView(
  { number, severity, title, because, startedAt, parts, all, also }: Whole,
  shownOf: ShownOf,
  silences: readonly Silence[],
  setting: OverviewSetting,
): AlertView {
  const [lead, ...others] = parts;
  const view = (part: Alert): PartView => partView(part, shownOf.get(part) ?? NOTHING, silences, setting);
  const states = parts.toReversed().flatMap((part) => shownOf.get(part)?.state ?? []);
  return {
    ...wordsOf(all, shownOf),
    number,
    also,
    severity,
    title,
    why: because === null ? null : whyText(because),
    startedAt,
    state: states.length === 0 ? null : [...new Set(states)].join(' · '),
    affected: [...new Set(parts.flatMap((part) => shownOf.get(part)?.affected ?? []))],
    parts: [view(lead), ...others.map(view)],
  };
}

/** The provider's, also after its own part is over. */
function wordsOf(all: Whole['all'], shownOf: ShownOf): Pick<AlertView, 'words' | 'url'> {
  const known = all.map((part) => shownOf.get(part) ?? NOTHING);
  return {
    words: known.find(({ words }) => words !== null)?.words ?? null,
    url: known.find(({ url }) => url !== null)?.url ?? null,
  };
}

function partView(
  alert: Alert,
  { affected }: AlertStanding['shown'],
  silences: readonly Silence[],
  setting: OverviewSetting,
): PartView {
  const { source, lastChange } = alert;
  const asked = facts(viewOf(alert), lastChange === null ? [] : [lastChange], setting.labels(source));
  return {
    source,
    affected,
    narrower: narrowerOf(asked),
    silencedBy: silencedBy(silences, asked, setting.now)?.id ?? null,
  };
}

/** A silence for one phone or for the toggles must not mute the loss of all phones. */
function narrowerOf({ hits, values }: Facts): PartView['narrower'] {
  const [extension, kind] = [hits.extension.flat(), (values.get('kind') ?? []).flat()];
  if (extension.length > 0 && extension.length <= MOST_EXTENSIONS) return { key: 'extension', values: extension };
  if (kind.length > 0 && kind.every((each) => each.startsWith('toggle.'))) return { key: 'kind', values: ['toggle.*'] };
  return null;
}

function byWeight(a: AlertView, b: AlertView): number {
  return SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || b.startedAt - a.startedAt;
}

function maintenanceView({ id, number, source, severity }: Alert, planned: PlannedWork): MaintenanceView {
  return { ...planned, alert: id, number, source, severity };
}

function endedView(whole: OpenAndEnded['ended'][number], shownOf: ShownOf): EndedView {
  const { number, sources, severity, title, startedAt, resolvedAt, parts, all } = whole;
  const { state } = shownOf.get(parts[0]) ?? NOTHING;
  const { url } = wordsOf(all, shownOf);
  return { number, sources, severity, title, startedAt, endedAt: resolvedAt, state, url };
}

function receiverView(delivery: ShownDelivery): ReceiverView {
  const { name, type } = delivery.receiver;
  return { name, type, ...receiverStanding(delivery.state, delivery.waiting()) };
}

function silenceView(silence: Silence, now: number): SilenceView {
  const { id, matchers, from, comment } = silence;
  return { id, matchers, from, until: endOf(silence), comment, active: isActive(silence, now) };
}
