/** Instatus has one document for notices and one for components; old pages lack the second. */
import type { Listing } from '../../core/observation/listing.ts';
import type { Component } from '../../core/page/page-model.ts';
import { catchMiss } from '../../provider/collection.ts';
import { createOptionalDocument } from '../optional-document.ts';
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

const NONE: Listing<Component> = { kind: 'observed', items: [], defects: [], missing: null };

export const instatus: PageType = {
  limits,
  open(_, ask) {
    const componentsOf = createOptionalDocument((signal) => ask('/v2/components.json', mapComponents, { signal }));
    return {
      async look(signal) {
        const shown = await ask('/summary.json', mapSummary, { signal });
        return { ...shown, components: await catchMiss(async () => (await componentsOf(signal)) ?? NONE) };
      },
    };
  },
};
