/** The subject an alert about phones opens with. */
import type { PhoneDetails, PhonesDetails, Transition } from '../transition/transition.ts';

type PhoneTransition = Extract<Transition, { kind: `registration.${string}` | `outage.${string}` }>;

export function phoneTitle({ kind, details }: PhoneTransition): string {
  if (!('extension' in details)) return `Phones ${where(details)} not registered`;
  const phone = `Extension ${nameOf(details)}`;
  switch (kind) {
    case 'registration.flapping':
      return `${phone} comes and goes`;
    case 'registration.device':
      return `${phone} has a new device`;
    case 'registration.network':
      return `${phone} is in a new network`;
    default:
      return `${phone} not registered`;
  }
}

/** For several phones lost together that are no mass loss. */
export function phonesTitle(details: readonly PhoneDetails[]): string {
  const shown = details.slice(0, 3).map(nameOf);
  const more = details.length - shown.length;
  if (more > 0) return `Extensions ${shown.join(', ')} and ${more} more not registered`;
  if (shown.length === 1) return `Extension ${shown[0]} not registered`;
  return `Extensions ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} not registered`;
}

function nameOf({ extension, name }: { extension: string; name: string | null }): string {
  return name === null || name === '' || name === extension ? extension : `${extension} (${name})`;
}

function where({ domain }: PhonesDetails): string {
  switch (domain.kind) {
    case 'site':
      return `at ${domain.name}${domain.address === null || domain.address === domain.name ? '' : ` (${domain.address})`}`;
    case 'model':
      return `of the model ${domain.name}`;
    case 'firmware':
      return `with ${domain.name}`;
    case 'account':
      return 'of the account';
  }
}
