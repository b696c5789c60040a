/** Wording of what lost phones say of the provider, before it does and after. */
import type { OutageDetails } from '../transition/details.ts';
import { ACCOUNT, causeLink, countedIn, offline, phoneLists, phoneName, phonesIn } from './registration.ts';
import { componentLabel } from './state.ts';
import { listed } from '../text/plain.ts';
import { instant } from './time.ts';
import { whySentences, whyText } from './why.ts';
import { fact, named, wording, type Setting, type Tellers } from './wording.ts';

/** So few are called by their names. */
const NAMED = 3;

function pageSays({ page }: OutageDetails): string {
  if (page === null) return 'The provider’s status page cannot be asked.';
  return `The provider’s status page (${named(page.source)}) says: ${componentLabel(page.state).toLowerCase()}.`;
}

/** An older event does not say why; what is lost at one site is the provider's only together with what is lost elsewhere. */
function whySuspected({ scattered, sites }: OutageDetails): string[] {
  return whySentences({ kind: 'suspected', scattered: scattered ?? sites.length > 1 });
}

/** `1 of your 59 phones is still offline: 101 (Reception)`: names where they are few. */
function left(details: OutageDetails, yours: boolean): string {
  const { phones, more, down } = details;
  const isNamed = phones.length > 0 && phones.length + more <= NAMED;
  const names = isNamed ? `: ${listed(phones.map(phoneName), NAMED)}` : '';
  return `${countedIn(details, down, yours)} ${down === 1 ? 'is' : 'are'} still offline${names}`;
}

function isYours(source: string, setting: Setting): boolean {
  return setting.customer(source) === null;
}

export const outageWording: Tellers<'outage.suspected' | 'outage.residual'> = {
  'outage.suspected'({ source, details }, setting) {
    const thing = phonesIn(details);
    const { admitted, goes_on_in: joined } = details;
    if (joined !== undefined) {
      return wording(`Part of a larger outage: told with #${joined.number} from here on`, thing, {
        where: ACCOUNT,
        since: instant(details.since),
        standing: `part of #${joined.number}`,
        sentences: ['What becomes of these phones is told there, and when they are back.'],
        facts: fact('Offline', countedIn(details, details.down, isYours(source, setting))),
      });
    }
    if (admitted !== null) {
      const { number, title, minutes_later: later } = admitted;
      return wording(whyText({ kind: 'explained', number, title, minutes_later: later }), thing, {
        where: ACCOUNT,
        since: instant(details.since),
        standing: `explained by #${admitted.number}`,
        sentences: ['Next from us: when phones return or stay lost.'],
        facts: fact('Offline', countedIn(details, details.down, isYours(source, setting))),
        links: causeLink(admitted),
      });
    }
    return wording(`${offline(details, isYours(source, setting))} — outage at the provider suspected`, thing, {
      where: ACCOUNT,
      since: instant(details.since),
      standing: 'outage at the provider suspected',
      sentences: [pageSays(details), ...whySuspected(details)],
      lists: phoneLists(details),
    });
  },

  'outage.residual'({ source, details }, setting) {
    return wording(`${whyText({ kind: 'residual' })} — ${left(details, isYours(source, setting))}`, phonesIn(details), {
      where: ACCOUNT,
      since: instant(details.since),
      allClear: false,
      standing: 'still offline though the provider says it is over',
      sentences: ['Phones that do not come back by themselves may need to be restarted.'],
      lists: phoneLists(details),
    });
  },
};
