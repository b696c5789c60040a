/** Instatus shows notices and components in two documents. */
import type { Listing } from '../../core/observation/listing.ts';
import type { Component } from '../../core/page/model.ts';
import { ProviderError } from '../../provider/errors.ts';
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { components, summary } from './mapping.ts';

const NONE: Listing<Component> = { kind: 'observed', items: [], defects: [], missing: null };

export const instatus: PageType = {
  limits,
  open(_, ask) {
    /** Old pages have no such document. */
    let hasComponents = true;

    async function componentsOf(signal: AbortSignal): Promise<Listing<Component>> {
      if (!hasComponents) return NONE;
      try {
        return await ask('/v2/components.json', components, { signal });
      } catch (error) {
        if (!(error instanceof ProviderError && error.code === 'not_found')) throw error;
        hasComponents = false;
        return NONE;
      }
    }

    return {
      async look(signal) {
        const shown = await ask('/summary.json', summary, { signal });
        return { ...shown, components: await componentsOf(signal) };
      },
    };
  },
};
