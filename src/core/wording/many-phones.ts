/** Wording of several phones that go the same way in one sweep. */
import type { Kind } from '../transition/kind.ts';
import type { PhoneDetails } from '../transition/details.ts';
import type { Transition } from '../transition/transition.ts';
import { deviceText, NAMED, phoneName, place } from './registration.ts';
import { andMore, listed } from '../text/plain.ts';
import { fact, list, type Wording } from './wording.ts';

/** Several phones that go the same way in one sweep are one piece of news. */
export function manyPhones(
  transitions: readonly Transition[],
): Pick<Wording, 'headline' | 'thing' | 'facts' | 'lists'> | null {
  const [first] = transitions;
  if (first === undefined || !first.kind.startsWith('registration.')) return null;
  const phones = transitions.flatMap(({ kind, details }): PhoneDetails[] =>
    kind === first.kind && 'extension' in details ? [details] : [],
  );
  if (phones.length < transitions.length) return null;
  const names = [...new Set(phones.map(phoneName))];
  const thing = listed(names, 3);
  const headline = manyHeadline(
    first.kind,
    `${names.length === 1 ? 'Extension' : 'Extensions'} ${thing}`,
    names.length,
  );
  if (headline === null) return null;
  return {
    headline,
    thing,
    facts: [...fact('Site', shared(phones.map(place))), ...fact('Device', shared(phones.map(deviceText)))],
    lists: list('Extensions', [...names.slice(0, NAMED), ...andMore(names.length - NAMED)]),
  };
}

/** What is the same of all. */
function shared(texts: readonly (string | null)[]): string | null {
  const different = new Set(texts);
  const [only = null] = different;
  return different.size === 1 ? only : null;
}

function manyHeadline(kind: Kind, thing: string, count: number): string | null {
  const are = count === 1 ? 'is' : 'are';
  switch (kind) {
    case 'registration.lost':
      return `${thing} ${are} offline`;
    case 'registration.restored':
      return `${thing} ${are} online again`;
    case 'registration.removed':
      return `${thing} ${count === 1 ? 'was' : 'were'} deleted from the account`;
    case 'registration.device':
      return `New devices or firmware: ${thing}`;
    case 'registration.network':
      return `New networks: ${thing}`;
    default:
      return null;
  }
}
