/** Wording of what lost phones say of the provider, before it does and after. */
import type { OutageDetails } from '../transition/transition.ts';
import { ACCOUNT, inDomain, phoneLists, phonesOf } from './registration.ts';
import { componentLabel } from './state.ts';
import { plural } from './text.ts';
import { instant, MINUTE, span } from './time.ts';
import type { Tellers } from './wording.ts';
import { fact, named, wording } from './wording.ts';

function lost(details: OutageDetails): string {
  const sites = details.sites.length > 1 ? `, at ${plural(details.sites.length, 'site')}` : '';
  return `${phonesOf(details)} not registered${sites}`;
}

function pageSays({ page }: OutageDetails): string {
  if (page === null) return 'The provider’s status page cannot be asked.';
  return `The provider’s status page (${named(page.source)}) says: ${componentLabel(page.state).toLowerCase()}.`;
}

function whenCame(minutesLater: number): string {
  if (minutesLater === 0) return 'as';
  return minutesLater > 0 ? `${span(minutesLater * MINUTE)} after` : 'before';
}

/** What is lost at one site is an outage of the provider's only together with what is lost elsewhere. */
function whySuspected({ sites }: OutageDetails): string {
  return sites.length > 1
    ? 'No single site and no single model explains these losses.'
    : 'Other accounts at this provider lose phones at the same time.';
}

export const outageWording: Tellers<'outage.suspected' | 'outage.residual'> = {
  'outage.suspected'({ details }) {
    const thing = `phones ${inDomain(details)}`;
    const { admitted } = details;
    if (admitted !== null) {
      return wording(`The provider has a notice that explains it: “${named(admitted.title)}”`, thing, {
        where: ACCOUNT,
        since: instant(details.since),
        standing: `explained by #${admitted.number}`,
        sentences: [
          `It came ${whenCame(admitted.minutes_later)} the first phones were lost. Look there for news; of these phones you hear again if they stay lost when it is over, and when they are back.`,
        ],
        facts: [
          ...fact('Not registered', phonesOf(details)),
          ...fact('Cause', `#${admitted.number} ${named(admitted.title)}`),
        ],
      });
    }
    return wording(`Outage at the provider suspected: ${lost(details)}`, thing, {
      where: ACCOUNT,
      since: instant(details.since),
      standing: 'outage at the provider suspected',
      sentences: [pageSays(details), whySuspected(details)],
      lists: phoneLists(details),
    });
  },

  'outage.residual'({ details }) {
    return wording(
      `Still not registered though the provider says it is over: ${phonesOf(details)}`,
      `phones ${inDomain(details)}`,
      {
        where: ACCOUNT,
        since: instant(details.since),
        allClear: false,
        standing: 'still not registered though the provider says it is over',
        sentences: ['Phones that do not come back by themselves may need to be restarted.'],
        lists: phoneLists(details),
      },
    );
  },
};
