/** Wording of flapping: one phone, or a site, a model or an account as a whole. */
import type { FlappingDetails } from '../../transition/phone-details.ts';
import type { TransitionOf } from '../../transition/transition.ts';
import { countOwnLosses } from '../../alert/account-titles.ts';
import { capitalize } from '../../text/plain.ts';
import {
  formatOthersBeside,
  formatRepeat,
  formatCountedPhones,
  listPhoneFacts,
  listPhones,
  formatPhoneName,
  formatPhonesIn,
} from './phone-words.ts';
import { parseInstant } from '../time.ts';
import { ACCOUNT, type Setting, type WordingTable, createWording, type Wording } from '../wording.ts';

export const flappingWording: WordingTable<'registration.flapping'> = {
  'registration.flapping'({ source, from, to, details }, setting) {
    if ('domain' in details) return describeFlapping({ source, from, to, details }, setting);
    const thing = formatPhoneName(details);
    const stable = to === null;
    return createWording(
      stable
        ? `Extension ${thing} is stable again: online for an hour, lost ${formatTimes(Number(from))} before that`
        : `Extension ${thing} comes and goes: lost ${formatTimes(to)} within an hour`,
      thing,
      {
        where: ACCOUNT,
        standing: stable ? 'stable' : 'comes and goes',
        sentences: stable ? [] : ['Next from us: when it has been stable for an hour.'],
        facts: listPhoneFacts(details),
      },
    );
  },
};

type FlappingChange = Pick<TransitionOf<'registration.flapping'>, 'source' | 'from' | 'to'> & {
  details: FlappingDetails;
};

/** Flapping of a site, a model or an account as a whole. */
function describeFlapping({ source, from, to, details }: FlappingChange, setting: Setting): Wording {
  const thing = formatPhonesIn(details);
  const first = parseInstant(details.first_lost);
  if (to === null) {
    return createWording(
      `${capitalize(thing)} are stable again: online for an hour, lost ${formatTimes(Number(from))} before that`,
      thing,
      {
        where: ACCOUNT,
        since: first,
        standing: 'stable',
      },
    );
  }
  const count = formatCountedPhones(details, countOwnLosses(details), setting.customer(source) === null);
  return createWording(
    `${count} are offline${formatRepeat({ count: to, since: first }, setting)}${formatOthersBeside(details)}`,
    thing,
    {
      where: ACCOUNT,
      standing: `come and go: lost ${formatTimes(to)}`,
      sentences: [
        ...adviseOnSite(details),
        'Next from us: when they have been online for an hour, or offline for half an hour.',
      ],
      lists: listPhones(details),
    },
  );
}

function adviseOnSite({ domain: { kind } }: FlappingDetails): string[] {
  const line = 'They share one external address: look at the power, the router and the internet connection there.';
  return kind === 'site' ? [line] : [];
}

/** `once`, `5 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
