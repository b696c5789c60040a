/** The order of open alerts on page, wall, API, `status`, feed and digest. */
import { compareSeverities, pickWorse, type Severity } from '../../transition/kind.ts';
import type { OpenAlert, SystemStatus, SourceView } from '../system-status.ts';
import { isUnknownPart } from './known.ts';

/** Open alerts that have begun; future maintenance is shown as such. */
export function listBegunAlerts({ open }: Pick<SystemStatus, 'open'>): OpenAlert[] {
  return open.filter(({ isToCome }) => !isToCome);
}

/** Phones that an alert has offline now, over all customers. */
export function countOfflineBy({ parts }: Pick<OpenAlert, 'parts'>): number {
  return parts.reduce((sum, { phones }) => sum + (phones?.offline ?? 0), 0);
}

/**
 * Sorts by severity, own phones offline, own phones not known, not acknowledged before acknowledged, older before newer;
 * silenced alerts last.
 */
export function sortOpenAlerts(open: readonly OpenAlert[], sources: readonly SourceView[]): OpenAlert[] {
  const rankOf = createAlertRanks(open, sources);
  const isSilenced = ({ parts }: OpenAlert): boolean => parts.every(({ silencedBy }) => silencedBy !== null);
  const unknown = new Map(
    sources.flatMap((source) =>
      source.type === 'account' && source.phones !== null && isUnknownPart(source, 'registrations')
        ? [[source.name, source.phones.total] as const]
        : [],
    ),
  );
  const countUnknown = (alert: OpenAlert): number =>
    alert.sources.reduce((sum, source) => sum + (unknown.get(source) ?? 0), 0);
  return open.toSorted(
    (a, b) =>
      Number(isSilenced(a)) - Number(isSilenced(b)) ||
      compareSeverities(rankOf(a), rankOf(b)) ||
      countOfflineBy(b) - countOfflineBy(a) ||
      compareSeverities(a.severity, b.severity) ||
      countUnknown(b) - countUnknown(a) ||
      Number(a.acknowledged !== null) - Number(b.acknowledged !== null) ||
      a.startedAt - b.startedAt ||
      a.number - b.number,
  );
}

/**
 * Severity for sorting. A notice without lost phones sorts below every loss; one of another vendor, such as a carrier,
 * sorts as information.
 */
export function createAlertRanks(
  open: readonly OpenAlert[],
  sources: readonly Pick<SourceView, 'name' | 'type' | 'vendor'>[],
): (alert: OpenAlert) => Severity {
  const pages = new Map(sources.flatMap((one) => (one.type === 'status page' ? [[one.name, one] as const] : [])));
  const losses = open.filter((alert) => countOfflineBy(alert) > 0).map(({ severity }) => severity);
  const mildest = losses.toSorted(compareSeverities).at(-1);
  return (alert) => {
    const { severity } = alert;
    if (countOfflineBy(alert) > 0 || !alert.sources.every((source) => pages.has(source))) return severity;
    if (alert.sources.every((source) => pages.get(source)?.vendor === true)) return 'info';
    return mildest === undefined ? severity : milder(severity, mildest);
  };
}

function milder(one: Severity, other: Severity): Severity {
  return pickWorse(one, other) === one ? other : one;
}
