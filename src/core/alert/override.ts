/**
 * Configured severities. An override speaks for an alert only when everything the alert hits matches: one
 * that calms SMS must not calm an outage that takes the trunks down with it.
 */
import { covers, type Matchers } from './matchers.ts';
import { viewOf, type Alert } from './record.ts';
import { facts } from './facts.ts';
import type { Severity } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';

export interface SeverityOverride {
  matchers: Matchers;
  severity: Severity;
}

export type Override = (alert: Alert, transition: Transition | null) => Severity | null;

export function overrideOf(overrides: readonly SeverityOverride[], labels: Readonly<Record<string, string>>): Override {
  return (alert, transition) => {
    if (overrides.length === 0) return null;
    const changes = transition === null ? [] : [{ transition, status: 'info' as const }];
    const known = facts(viewOf(alert), changes, labels);
    return overrides.find(({ matchers }) => covers(matchers, known))?.severity ?? null;
  };
}
