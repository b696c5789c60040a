/** Google Cloud's page: one document has what is open and about a year of what was. */
import type { KeptDocument, PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { incidents } from './mapping.ts';

export const googleCloud: PageType = {
  limits,
  open(_, ask) {
    let kept: KeptDocument | null = null;
    return {
      async look(signal) {
        const read = await ask('/incidents.json', incidents, { signal });
        ({ kept } = read);
        return read.shown;
      },
      kept: (kind) => Promise.resolve(kind === 'unplanned' ? kept : null),
    };
  },
};
