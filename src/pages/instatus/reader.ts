/** Instatus shows notices and components in two documents; old pages have no second one. */
import type { Listing } from '../../core/observation/listing.ts';
import type { Component } from '../../core/page/page-model.ts';
import { missing } from '../../provider/collection.ts';
import { optionalDocument } from '../optional-document.ts';
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { components, summary } from './mapping.ts';

const NONE: Listing<Component> = { kind: 'observed', items: [], defects: [], missing: null };

export const instatus: PageType = {
  limits,
  open(_, ask) {
    const componentsOf = optionalDocument((signal) => ask('/v2/components.json', components, { signal }));
    return {
      async look(signal) {
        const shown = await ask('/summary.json', summary, { signal });
        return { ...shown, components: await missing(async () => (await componentsOf(signal)) ?? NONE) };
      },
    };
  },
};
