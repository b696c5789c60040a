/** Wording of flapping: one phone, or a site, a model or an account as a whole. */
import type { FlappingDetails } from '../../transition/phone-details.ts';
import type { TransitionOf } from '../../transition/transition.ts';
import { capitalize } from '../../text/plain.ts';
import { countedIn, phoneFacts, phoneLists, phoneName, phonesIn } from './phone-words.ts';
import { hourWhen, instant } from '../time.ts';
import { ACCOUNT, type Setting, type Tellers, wording, type Wording } from '../wording.ts';

export const flappingWording: Tellers<'registration.flapping'> = {
  'registration.flapping'({ source, from, to, details }, setting) {
    if ('domain' in details) return describeFlapping({ source, from, to, details }, setting);
    const thing = phoneName(details);
    const stable = to === null;
    return wording(
      stable
        ? `Extension ${thing} is stable again: online for an hour, lost ${formatTimes(Number(from))} before that`
        : `Extension ${thing} comes and goes: lost ${formatTimes(to)} within an hour`,
      thing,
      {
        where: ACCOUNT,
        standing: stable ? 'stable' : 'comes and goes',
        sentences: stable ? [] : ['Next from us: when it has been stable for an hour.'],
        facts: phoneFacts(details),
      },
    );
  },
};

type Together = Pick<TransitionOf<'registration.flapping'>, 'source' | 'from' | 'to'> & { details: FlappingDetails };

/** Flapping of a site, a model or an account as a whole. */
function describeFlapping({ source, from, to, details }: Together, setting: Setting): Wording {
  const thing = phonesIn(details);
  const first = instant(details.first_lost);
  if (to === null) {
    return wording(
      `${capitalize(thing)} are stable again: online for an hour, lost ${formatTimes(Number(from))} before that`,
      thing,
      {
        where: ACCOUNT,
        since: first,
        standing: 'stable',
      },
    );
  }
  const begun = first === null ? '' : ` since ${hourWhen(first, setting.timezone, setting.now)}`;
  const count = countedIn(details, details.down, setting.customer(source) === null);
  return wording(`${count} are offline for the ${formatOrdinal(to)} time${begun}`, thing, {
    where: ACCOUNT,
    standing: `come and go: lost ${formatTimes(to)}`,
    sentences: [
      ...adviseOnSite(details),
      'Next from us: when they have been online for an hour, or offline for half an hour.',
    ],
    lists: phoneLists(details),
  });
}

function adviseOnSite({ domain: { kind } }: FlappingDetails): string[] {
  const line = 'They share one external address: look at the power, the router and the internet connection there.';
  return kind === 'site' ? [line] : [];
}

/** `3rd` */
function formatOrdinal(count: number): string {
  const ending = ORDINALS[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th';
  return `${count}${ending}`;
}

const ORDINALS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
