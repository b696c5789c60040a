/** Titles for transitions that open no alert. */
import type { Transition } from '../transition/transition.ts';
import { toReadableLine } from '../text/markup.ts';
import { CALL_REPORTS, formatCallsTitle } from './calls-titles.ts';
import { formatExtensionName, formatSitePlace } from './account-titles.ts';

/** Made from the transition alone, so that it never changes. */
export function createPlainTitle(transition: Transition): string {
  switch (transition.kind) {
    case 'source.baseline':
      return `Watching ${transition.details.page?.name ?? transition.source}`;
    case 'source.schema':
      return `${transition.source} answers outside its specification`;
    case 'source.unreachable':
    case 'source.recovered':
    case 'source.credentials':
    case 'source.accepted':
    case 'source.changed':
      return transition.source;
    case 'page.state':
    case 'page.remains':
    case 'page.renamed':
    case 'component.state':
    case 'component.remains':
    case 'component.added':
    case 'component.removed':
    case 'component.renamed':
    case 'component.moved':
      return transition.details.name;
    case 'registration.lost':
    case 'registration.restored':
    case 'registration.mass':
    case 'registration.removed':
    case 'registration.device':
    case 'registration.network':
    case 'registration.moved':
    case 'registration.flapping':
    case 'outage.suspected':
    case 'outage.residual':
      return plainPhoneTitle(transition);
    case 'toggle.state':
    case 'toggle.renamed':
    case 'toggle.added':
    case 'toggle.removed':
      return `Toggle “${transition.details.name}”`;
    case 'toggle.off_schedule':
    case 'toggle.on_schedule':
    case 'toggle.missing':
      return `Toggle “${transition.details.name ?? transition.details.expectation.toggle}”`;
    case 'calls.missed':
      return 'Missed callers';
    case 'spend.forecast':
      return 'Call charges this month';
    case 'calls.stale':
      return `Report of ${CALL_REPORTS[transition.details.report]}`;
    case 'spend.limit':
    case 'fraud.suspected':
    case 'route.dead':
    case 'agents.none':
      return formatCallsTitle(transition)?.title ?? transition.source;
    case 'alert.acknowledged':
      return transition.details.title;
    case 'receiver.failed':
    case 'receiver.recovered':
      return `Deliveries to ${transition.details.receiver} fail`;
    case 'receiver.unproved':
    case 'receiver.proved':
      return `Nobody has shown that messages to ${transition.details.receiver} are read`;
    case 'linewatch.state':
    case 'linewatch.config':
    case 'linewatch.leader':
      return 'Linewatch';
    default:
      return toReadableLine(transition.details.notice.subject);
  }
}

function plainPhoneTitle({
  kind,
  details,
}: Extract<Transition, { kind: `registration.${string}` | `outage.${string}` }>): string {
  if (!('extension' in details)) return ['Phones', formatSitePlace(details)].filter((part) => part !== '').join(' ');
  const phone = `Extension ${formatExtensionName(details)}`;
  switch (kind) {
    case 'registration.device':
      return `${phone} has a new device`;
    case 'registration.network':
      return `${phone} is in a new network`;
    default:
      return phone;
  }
}
