/** Instatus has one document for notices and one for components; old pages lack the second. */
import type { Listing, Miss } from '../../core/observation/listing.ts';
import { catchMiss } from '../../provider/collection.ts';
import { createOptionalDocument } from '../optional-document.ts';
import { NO_COMPONENTS } from '../reading.ts';
import type { PageLimits, PageType } from '../vendor-page.ts';
import { mapComponents, mapSummary } from './mapping.ts';

/** Instatus: live captures and its documentation. */
const limits: PageLimits = {
  called: 'a page of Instatus',
  ends: 'absence',
  history: null,
  components: true,
  maintenance: true,
  texts: false,
  hits: false,
  answerBytes: 2 * 1024 * 1024,
};

export const instatus: PageType = {
  limits,
  open(_, ask) {
    const componentsOf = createOptionalDocument((signal) => ask('/v2/components.json', mapComponents, { signal }));
    /** States of the components at the last look; null before it. */
    let known: string | null = null;

    return {
      async look(signal) {
        const shown = await ask('/summary.json', mapSummary, { signal });
        const components = await catchMiss(async () => (await componentsOf(signal)) ?? NO_COMPONENTS);
        if (components.kind === 'observed') {
          const states = components.items.map(({ id, state }) => `${id} ${state}`).join();
          // The notices were read some seconds earlier: one about this change may have been published since.
          const hasChanged = known !== null && states !== known;
          known = states;
          if (hasChanged) {
            const again = await catchMiss(() => ask('/summary.json', mapSummary, { signal }));
            if ('kind' in again) return { ...shown, notices: withMissing(shown.notices, again), components };
            return { ...again, components };
          }
        }
        return { ...shown, components };
      },
    };
  },
};

/** The notices of the earlier reading count; whether there are others by now is unknown. */
function withMissing<T>(listing: Listing<T>, missing: Miss): Listing<T> {
  return listing.kind === 'missed' ? listing : { ...listing, missing };
}
