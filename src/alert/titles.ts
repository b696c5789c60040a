/** The subject an alert opens with. It never changes: mail threads hang on it. */
import type { ComponentMemory, PageMemory } from '../status-page/snapshot.ts';
import type { ExpectationDetails, Transition } from '../transition/transition.ts';
import { phoneTitle } from './phone-titles.ts';

const NAMED_IN_A_TITLE = 3;

export function readableState(state: string): string {
  return state.replaceAll('_', ' ');
}

/** `SIP Trunks degraded`, `SIP Trunks, Fax and 4 more degraded`, or the page when no component is known. */
export function troubleTitle(
  subjects: readonly string[],
  components: readonly ComponentMemory[],
  page: Pick<PageMemory, 'name' | 'state'> | null,
): string {
  const meant = new Set(subjects);
  const hit = components.filter((component) => meant.has(`component/${component.id}`));
  const [first] = hit;
  if (first === undefined) return `${page?.name ?? 'Status page'} ${readableState(page?.state ?? 'not operational')}`;
  const states = new Set(hit.map((component) => component.state));
  const state = states.size === 1 ? readableState(first.state) : 'not operational';
  return `${names(hit)} ${state}`;
}

export function remainsTitle(
  subjects: readonly string[],
  components: readonly ComponentMemory[],
  page: Pick<PageMemory, 'name' | 'state'> | null,
  after: string,
): string {
  return `${troubleTitle(subjects, components, page)} after “${after}” ended`;
}

function names(components: readonly ComponentMemory[]): string {
  const shown = components.slice(0, NAMED_IN_A_TITLE).map((component) => component.name);
  const more = components.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '');
}

/** What stands in the place of an alert's title where a transition opens none. */
export function plainTitle(transition: Transition): string {
  switch (transition.kind) {
    case 'source.baseline':
      return `Watching ${transition.details.page?.name ?? transition.source}`;
    case 'source.schema':
      return `${transition.source} answers outside its specification`;
    case 'source.unreachable':
    case 'source.recovered':
      return `${transition.source} cannot be read`;
    case 'page.state':
    case 'page.remains':
    case 'page.renamed':
      return transition.details.name;
    case 'component.state':
    case 'component.remains':
    case 'component.added':
    case 'component.removed':
    case 'component.renamed':
    case 'component.moved':
      return transition.details.name;
    case 'source.credentials':
    case 'source.accepted':
      if (transition.details.parts !== undefined) return `Access to part of ${transition.source} refused`;
      return transition.details.keyless === true
        ? `Access to ${transition.source} refused`
        : `Credentials of ${transition.source} refused`;
    case 'registration.lost':
    case 'registration.restored':
    case 'registration.mass':
    case 'registration.removed':
    case 'registration.device':
    case 'registration.network':
    case 'registration.flapping':
    case 'outage.suspected':
    case 'outage.residual':
      return phoneTitle(transition);
    case 'toggle.state':
    case 'toggle.renamed':
    case 'toggle.added':
    case 'toggle.removed':
      return `Toggle “${transition.details.name}”`;
    case 'toggle.off_schedule':
    case 'toggle.on_schedule':
      return `Toggle “${transition.details.name ?? transition.details.expectation.toggle}” off schedule`;
    case 'toggle.missing':
      return missingTitle(transition.details);
    case 'receiver.failed':
    case 'receiver.recovered':
      return `Deliveries to ${transition.details.receiver} fail`;
    case 'linewatch.state':
    case 'linewatch.config':
      return 'Linewatch';
    default:
      return transition.details.notice.subject;
  }
}

function missingTitle({ name, expectation, matches = 0 }: ExpectationDetails): string {
  return matches > 1
    ? `${matches} toggles are called “${expectation.toggle}”`
    : `Toggle “${name ?? expectation.toggle}” not found`;
}
