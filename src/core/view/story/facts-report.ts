/**
 * An alert for programs: its phase, cause, advice and parts by source. Used by commands, API and events alike. The
 * names are an API.
 */
import { ACCOUNT } from '../../account/domain.ts';
import type { AlertFacts, PartFacts } from '../../correlation/alert-facts.ts';
import { toOneLine } from '../../text/plain.ts';
import { formatReason } from '../../wording/phones/why.ts';
import { suggestAction, TOGGLE_ADVICE } from '../verdict/loss-words.ts';
import type { FactsReport, PartReport } from './alert-schema.ts';
import type { NamedCause } from '../verdict/phone-losses.ts';

/** Facts of an alert whose parts are unknown. */
export const NO_FACTS: AlertFacts = {
  phase: 'open',
  mergedInto: null,
  because: null,
  notice: null,
  parts: [],
  more: 0,
};

export function reportFacts(facts: AlertFacts): FactsReport {
  const { phase, mergedInto, because, parts, more } = facts;
  const isOpen = phase !== 'resolved' && phase !== 'merged';
  const cause = isOpen ? causeOfFacts(facts) : null;
  const isOffline = parts.some(({ phones }) => (phones?.down ?? 0) > 0);
  const isOfToggle = parts.some(({ toggles }) => toggles.length > 0);
  return {
    phase,
    merged_into: mergedInto,
    cause:
      cause === null ? null : { kind: cause.kind, name: nameOfCause(cause), why: because && formatReason(because) },
    advice: !isOpen
      ? null
      : isOffline
        ? suggestAction(cause ?? { kind: 'unknown' })
        : isOfToggle
          ? TOGGLE_ADVICE
          : null,
    parts: parts.map(reportPart),
    ...(more > 0 && { more_parts: more }),
  };
}

/** Null without a known cause. */
function causeOfFacts({ because, notice }: AlertFacts): NamedCause | null {
  const by = notice === null ? null : toOneLine(notice.called);
  const published: NamedCause | null =
    notice === null
      ? null
      : notice.isPlanned
        ? { kind: 'planned', by, until: null }
        : { kind: 'provider', by, state: notice.state };
  switch (because?.kind) {
    case undefined:
      return published;
    case 'explained':
      return published ?? { kind: 'provider', by: because.page ?? null, state: null };
    case 'residual':
      return { kind: 'residual', by: because.page ?? by, isSaid: because.without_resolve !== true };
    case 'suspected':
      return { kind: 'suspected', says: null };
    case 'account':
      return { kind: 'account' };
    case 'named':
      if (because.domain.kind === ACCOUNT.kind) return { kind: 'account' };
      return because.domain.kind === 'site'
        ? { kind: 'site', places: [toOneLine(because.domain.name)] }
        : { kind: 'model', because };
  }
}

function nameOfCause(cause: NamedCause): string | null {
  switch (cause.kind) {
    case 'provider':
    case 'planned':
    case 'residual':
      return cause.by;
    case 'site':
      return cause.places.join(', ');
    case 'model':
      return toOneLine(cause.because.domain.name);
    default:
      return null;
  }
}

function reportPart({ source, customer, phase, phones, components, toggles }: PartFacts): PartReport {
  return {
    source,
    customer,
    phase,
    affected: {
      phones:
        phones === null
          ? null
          : { total: phones.total, offline: phones.down, by_site: (phones.sites ?? []).map((site) => ({ ...site })) },
      components: [...components],
      toggles: [...toggles],
    },
  };
}
