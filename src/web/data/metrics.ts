/**
 * Metrics in the Prometheus text format. Counters are incremented by events and live as long as the process; gauges are
 * set from the status at each scrape, so that removed sources leave no value behind. Label values are configured names
 * and words of closed lists, never external text; extensions only if configured.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Proof } from '../../core/outbox/proof.ts';
import { SEVERITIES } from '../../core/transition/kind.ts';
import { KNOWN_STATES } from '../../core/page/page-model.ts';
import {
  SCHEDULE_STATES,
  type AccountView,
  type PageView,
  type SystemStatus,
  type ReceiverView,
  type SiteView,
  type SourceView,
} from '../../core/view/system-status.ts';
import { listUnreadyReasons } from '../../core/view/readiness.ts';
import { SECOND } from '../../core/text/duration.ts';

const SWEEP_OUTCOMES = ['complete', 'partial', 'failed'] as const;
export type SweepOutcome = (typeof SWEEP_OUTCOMES)[number];

const DELIVERY_OUTCOMES = ['delivered', 'transient', 'permanent'] as const;

export type Metrics = ReturnType<typeof createMetrics>;

/** An own registry: several in one process count separately. */
export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
    new Counter({ name: `linewatch_${name}`, help, labelNames, registers });
  const sweeps = counter('sweeps_total', 'Rounds over a source, by how much of it they read.', ['source', 'outcome']);
  const requests = counter('requests_total', 'Requests to the provider; retries and redirects count by themselves.', [
    'source',
    'operation',
    'outcome',
  ]);
  const requestSeconds = new Histogram({
    name: 'linewatch_request_duration_seconds',
    help: 'Time from sending a request to the provider to having read its answer.',
    labelNames: ['source'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const transitions = counter('transitions_total', 'What changed, by kind.', ['source', 'kind']);
  const deliveries = counter('deliveries_total', 'Attempts to deliver, by outcome and class of reason.', [
    'receiver',
    'outcome',
    'reason',
  ]);
  const messages = counter(
    'messages_delivered_total',
    'Messages a receiver did not refuse: shown to people, taken by the medium, or accepted and perhaps lost.',
    ['receiver', 'proof'],
  );

  const show = gaugesIn(registry, version);

  /** A series that starts with its first failure would hide that failure from rate(). */
  function begin({ sources, receivers }: SystemStatus): void {
    for (const { name } of sources) for (const outcome of SWEEP_OUTCOMES) sweeps.inc({ source: name, outcome }, 0);
    for (const { name, last } of receivers) {
      if (last !== null) messages.inc({ receiver: name, proof: last.proof }, 0);
      deliveries.inc({ receiver: name, outcome: 'delivered', reason: 'none' }, 0);
    }
  }

  return {
    swept: (source: string, outcome: SweepOutcome): void => sweeps.inc({ source, outcome }),
    requested(request: { source: string; operation: string; outcome: string; durationMs: number }) {
      const { source, operation, outcome, durationMs } = request;
      requests.inc({ source, operation, outcome });
      requestSeconds.observe({ source }, durationMs / SECOND);
    },
    transitioned: (source: string, kind: string): void => transitions.inc({ source, kind }),
    /** `reason` is the class of the reason, `none` for a delivered message. */
    attempted(attempt: {
      receiver: string;
      /** Null if it was refused. */
      proof: Proof | null;
      outcome: (typeof DELIVERY_OUTCOMES)[number];
      reason: string;
      messages: number;
    }) {
      const { receiver, proof, outcome, reason, messages: count } = attempt;
      deliveries.inc({ receiver, outcome, reason });
      if (proof !== null) messages.inc({ receiver, proof }, count);
    },
    contentType: registry.contentType,
    /** `byPhone`: with a series for each missing phone. */
    text(status: SystemStatus, byPhone = false) {
      begin(status);
      show(status, byPhone);
      return registry.metrics();
    },
  };
}

/** Creates a function that sets all gauges from a status. */
function gaugesIn(registry: Registry, version: string): (status: SystemStatus, byPhone: boolean) => void {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name: `linewatch_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const gauges = {
    waiting: gauge(
      'outbox_messages',
      'Messages promised and not delivered, apart those refused for good and those for removed receivers.',
      ['receiver', 'state'],
    ),
    oldest: gauge('outbox_oldest_age_seconds', 'Age of the oldest message that waits; 0 where none does.', [
      'receiver',
    ]),
    failing: gauge('receiver_failing_seconds', 'Time since a receiver began to fail; 0 while it works.', ['receiver']),
    unread: gauge('source_last_read_age_seconds', 'Time since a source was last read in full, or since the start.', [
      'source',
    ]),
    limit: gauge('source_last_read_limit_seconds', 'The age at which a source counts as not read.', ['source']),
    unreachable: gauge('source_unreachable', '1 while a source counts as unreachable.', ['source']),
    components: gauge('components', 'Components of a status page, by state; other: one Linewatch does not know.', [
      'source',
      'state',
    ]),
    registered: gauge('phones_registered', 'Phones that are registered, by site.', ['source', 'site']),
    expected: gauge('phones_expected', 'Phones that should be registered now, by site.', ['source', 'site']),
    lost: gauge('phones_lost', 'Phones that are missing for long enough to count as lost, by site.', [
      'source',
      'site',
    ]),
    away: gauge('phones_away', 'Phones logged off at an hour at which they usually are, by site.', ['source', 'site']),
    missing: gauge('phone_missing', '1 for each phone that is missing; only with http.metrics_by_phone.', [
      'source',
      'site',
      'extension',
    ]),
    toggles: gauge('toggles', 'Toggles that have hours, by how they follow them.', ['source', 'state']),
    alerts: gauge('open_alerts', 'Alerts that are open, by severity, each at the source its title is of.', [
      'source',
      'severity',
    ]),
    silences: gauge('silences_active', 'Silences that mute something now.'),
    unsaved: gauge('state_unsaved_documents', 'Documents the disk refused to take.'),
    ready: gauge('ready', '1 while /readyz says so.'),
    started: gauge('start_time_seconds', 'When this process began to watch, in seconds since 1970.'),
  };
  gauge('build_info', 'Always 1; the version is in the label.', ['version']).set({ version }, 1);

  function showPage({ name, components }: SourceView & PageView): void {
    for (const state of COMPONENT_STATES) gauges.components.set({ source: name, state }, 0);
    gauges.components.set({ source: name, state: 'operational' }, components.total - components.notOperational.length);
    for (const { state } of components.notOperational) {
      gauges.components.inc({ source: name, state: COMPONENT_STATES.find((known) => known === state) ?? 'other' });
    }
  }

  function showAccount({ name, phones, schedule }: SourceView & AccountView, byPhone: boolean): void {
    for (const each of phones?.sites ?? []) {
      const at = { source: name, site: siteLabel(each) };
      gauges.registered.inc(at, each.registered);
      gauges.expected.inc(at, each.total);
      gauges.lost.inc(at, each.missing.filter(({ isLost }) => isLost).length);
      gauges.away.inc(at, each.away ?? 0);
      if (byPhone) for (const { extension } of each.missing) gauges.missing.set({ ...at, extension }, 1);
    }
    for (const state of SCHEDULE_STATES) gauges.toggles.set({ source: name, state }, schedule[state]);
  }

  function showSource(source: SourceView, byPhone: boolean): void {
    const { name, unreadMs, unreadAfterMs, unreachable } = source;
    gauges.unread.set({ source: name }, unreadMs / SECOND);
    gauges.limit.set({ source: name }, unreadAfterMs / SECOND);
    gauges.unreachable.set({ source: name }, unreachable ? 1 : 0);
    for (const severity of SEVERITIES) gauges.alerts.set({ source: name, severity }, 0);
    if (source.type === 'account') showAccount(source, byPhone);
    else showPage(source);
  }

  function showReceiver(receiver: ReceiverView, now: number): void {
    const { name, isRemoved, waiting, refused, oldestWaitingAt, failing } = receiver;
    gauges.waiting.set({ receiver: name, state: isRemoved ? 'removed' : 'waiting' }, waiting);
    gauges.waiting.set({ receiver: name, state: 'refused' }, refused);
    gauges.oldest.set({ receiver: name }, age(now, oldestWaitingAt));
    gauges.failing.set({ receiver: name }, age(now, failing?.since ?? null));
  }

  return (status, byPhone) => {
    const { now } = status;
    for (const each of Object.values(gauges)) each.reset();
    for (const source of status.sources) showSource(source, byPhone);
    for (const { sources, severity } of status.open) gauges.alerts.inc({ source: sources[0] ?? '', severity });
    for (const receiver of status.receivers) showReceiver(receiver, now);
    gauges.silences.set(status.silences.filter(({ active }) => active).length);
    gauges.unsaved.set(status.unsaved.length);
    gauges.ready.set(listUnreadyReasons(status).length === 0 ? 1 : 0);
    gauges.started.set((status.startedAt ?? now) / SECOND);
  };
}

/** States of a provider vary: a label has one of these words. */
const COMPONENT_STATES = [...KNOWN_STATES.component, 'other'] as const;

/** Phones at home and on the road have as many addresses as there are phones: all unnamed sites share a label. */
function siteLabel({ site, isNamed }: SiteView): string {
  return site !== null && isNamed ? site : 'other';
}

function age(now: number, since: number | null): number {
  return since === null ? 0 : Math.max(0, now - since) / SECOND;
}
