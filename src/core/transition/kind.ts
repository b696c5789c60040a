/** Every kind of transition as named in the interface. Event types are `linewatch.` + kind. */
export const KINDS = [
  'page.state',
  'page.remains',
  'page.renamed',
  'component.state',
  'component.remains',
  'component.added',
  'component.removed',
  'component.renamed',
  'component.moved',
  'notice.opened',
  'notice.state',
  'notice.update',
  'notice.reopened',
  'notice.closed',
  'notice.withdrawn',
  'notice.unlisted',
  'notice.replaced',
  'notice.rescheduled',
  'notice.impact',
  'notice.subject',
  'notice.type',
  'notice.edited',
  'maintenance.reminder',
  'maintenance.late',
  'maintenance.overrun',
  'source.baseline',
  'source.schema',
  'source.unreachable',
  'source.recovered',
  'source.credentials',
  'source.accepted',
  'source.changed',
  'registration.lost',
  'registration.restored',
  'registration.mass',
  'registration.removed',
  'registration.device',
  'registration.network',
  'registration.moved',
  'registration.flapping',
  'outage.suspected',
  'outage.residual',
  'toggle.state',
  'toggle.renamed',
  'toggle.added',
  'toggle.removed',
  'toggle.off_schedule',
  'toggle.on_schedule',
  'toggle.missing',
  'calls.missed',
  'spend.limit',
  'spend.forecast',
  'calls.stale',
  'fraud.suspected',
  'route.dead',
  'agents.none',
  'alert.acknowledged',
  'receiver.failed',
  'receiver.recovered',
  'receiver.unproved',
  'receiver.proved',
  'linewatch.state',
  'linewatch.config',
  'linewatch.leader',
] as const;

export type Kind = (typeof KINDS)[number];

/** Kind prefixes by type of source. The remaining kinds are about Linewatch itself. */
const REPORTED_OF = {
  'status page': /^(page|component|notice|maintenance|source|alert)\./,
  account: /^(registration|outage|toggle|calls|spend|fraud|route|agents|source|alert)\./,
} as const;

/** Kinds that a source of this type can report. */
export function listKinds(type: keyof typeof REPORTED_OF): Kind[] {
  return KINDS.filter((kind) => REPORTED_OF[type].test(kind));
}

/** Effect of a transition on its alert; `info` opens none. */
export const STATUSES = ['open', 'update', 'resolved', 'info'] as const;
export type Status = (typeof STATUSES)[number];

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Sorts the worst first. */
export function compareSeverities(a: Severity, b: Severity): number {
  return SEVERITIES.indexOf(b) - SEVERITIES.indexOf(a);
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return compareSeverities(severity, least) <= 0;
}

export function isWorse(severity: Severity, than: Severity): boolean {
  return compareSeverities(severity, than) < 0;
}

export function pickWorse(a: Severity, b: Severity): Severity {
  return isWorse(b, a) ? b : a;
}

/** `info` for an empty list. */
export function findWorst(all: Iterable<{ severity: Severity }>): Severity {
  let worst: Severity = 'info';
  for (const { severity } of all) worst = pickWorse(worst, severity);
  return worst;
}

/** True for lost phones; toggles and unreadable sources lose none. */
export function isOfPhones(kind: Kind): boolean {
  return kind.startsWith('registration.') || kind.startsWith('outage.');
}

export function hasPhones(changes: readonly { transition: { kind: Kind } }[]): boolean {
  return changes.some(({ transition: { kind } }) => isOfPhones(kind));
}

export function isOfNotice(kind: Kind): boolean {
  return kind.startsWith('notice.');
}

export function hasNotice(changes: readonly { transition: { kind: Kind } }[]): boolean {
  return changes.some(({ transition: { kind } }) => isOfNotice(kind));
}
