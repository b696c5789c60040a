/** Severity that a transition gives its alert; the alert keeps the worst one. */
import type { NoticeMemory } from '../page/snapshot.ts';
import { KNOWN_STATES } from '../page/page-model.ts';
import { type Severity, pickWorse } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import { hasFullMatch, collectFacts, type Facts, type Matchers } from './matchers.ts';
import { type Alert, toAlertView } from './alert.ts';

/** Severity by the impact if the vendor gives one, else by the states: critical once it was investigating or identified. */
export function computeNoticeSeverity(notice: Pick<NoticeMemory, 'type' | 'state' | 'wasAcute' | 'impact'>): Severity {
  // The vendor's impact is better evidence than the states.
  if (notice.impact !== undefined && notice.type === 'unplanned') return severityOfImpact(notice.impact);
  if (notice.wasAcute) return 'critical';
  // An incident in an undocumented state is trouble until an override says otherwise.
  const unknown = notice.state !== null && !(KNOWN_STATES.unplanned as readonly string[]).includes(notice.state);
  return notice.type === 'unplanned' && unknown ? 'warning' : 'info';
}

function severityOfImpact(impact: string): Severity {
  return impact === 'critical' || impact === 'major' ? 'critical' : 'warning';
}

export function computeStateSeverity(state: string): Severity {
  return state === 'operational' || state === 'under_maintenance' ? 'info' : 'warning';
}

/** `notice`: the one whose alert the transition belongs to; null for any other alert. */
export function computeSeverity(transition: Transition, notice: NoticeMemory | null): Severity {
  switch (transition.kind) {
    case 'page.state':
    case 'page.remains':
    case 'component.state':
    case 'component.remains':
      return transition.details.notice === null || transition.kind.endsWith('.remains')
        ? computeStateSeverity(transition.to)
        : 'info';
    case 'source.unreachable':
    case 'source.changed':
    case 'maintenance.overrun':
    case 'source.credentials':
    case 'calls.stale':
    case 'registration.lost':
    case 'outage.residual':
    case 'receiver.failed':
    case 'receiver.unproved':
      return 'warning';
    case 'registration.flapping':
      return 'domain' in transition.details ? 'critical' : 'warning';
    case 'registration.mass':
      // Phones that are not back at their usual time may be on holiday.
      return transition.details.usual === undefined ? 'critical' : 'warning';
    case 'outage.suspected':
      return 'critical';
    case 'toggle.off_schedule':
      return transition.details.expectation.severity;
    case 'spend.limit':
    case 'fraud.suspected':
    case 'route.dead':
    case 'agents.none':
      return transition.details.severity;
    case 'toggle.missing':
      return pickWorse('warning', transition.details.expectation.severity);
    default:
      return notice === null ? 'info' : computeNoticeSeverity(notice);
  }
}

/**
 * Configured severities. An override applies to an alert only if it matches everything that the alert affects: one that
 * lowers SMS must not lower an outage of SMS and trunks.
 */
export interface SeverityOverride {
  matchers: Matchers;
  severity: Severity;
}

/** The overrides in their order, and the labels of the source whose alerts they apply to. */
export interface Overrides {
  rules: readonly SeverityOverride[];
  labels: Readonly<Record<string, string>>;
}

export const NO_OVERRIDES: Overrides = { rules: [], labels: {} };

/** Severity that the configuration gives the alert; null without an override. */
export function findSeverityOverride(
  { rules, labels }: Overrides,
  alert: Alert,
  transition: Transition | null,
): Severity | null {
  if (rules.length === 0) return null;
  const changes = transition === null ? [] : [{ transition, status: 'info' as const }];
  return findCoveringOverride(rules, collectFacts(toAlertView(alert), changes, labels));
}

/** Severity of the first override that covers everything; null without one. */
export function findCoveringOverride(overrides: readonly SeverityOverride[], known: Facts): Severity | null {
  return overrides.find(({ matchers }) => hasFullMatch(matchers, known))?.severity ?? null;
}
