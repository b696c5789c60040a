/**
 * Configured severities. An override speaks for an alert only when everything the alert hits matches: one
 * that calms SMS must not calm an outage that takes the trunks down with it.
 */
import { matches, type Matchers } from './route.ts';
import { viewOf, type Alert } from './record.ts';
import { facts } from './facts.ts';
import { matchesGlob } from './watch.ts';
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
    return (
      overrides.find(({ matchers }) => matches(matchers, known) && coversAll(matchers, transition))?.severity ?? null
    );
  };
}

function coversAll(matchers: Matchers, transition: Transition | null): boolean {
  const patterns = matchers['component'];
  if (patterns === undefined || transition === null) return true;
  if (!('components' in transition.details) || !Array.isArray(transition.details.components)) return true;
  return transition.details.components.every(({ id, name }) =>
    patterns.some((pattern) => matchesGlob(pattern, id) || matchesGlob(pattern, name)),
  );
}
