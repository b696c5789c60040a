/**
 * `config check` requests each status page of another vendor once: whether it is of the configured type, is still the
 * watched page, and has the chosen components. A page that cannot be read now says nothing about the configuration. The
 * provider's page is not requested, as a daemon may already use its whole rate limit.
 */
import type { Config, StatusPageConfig } from '../../config/config.ts';
import { suggestName } from '../../config/nearest.ts';
import { hasReference } from '../../config/references.ts';
import { createPageState } from '../../core/engine/page-kind.ts';
import { judgeDocument, findDocumentMiss } from '../../core/page/document.ts';
import type { Snapshot } from '../../core/page/snapshot.ts';
import { compileGlobs } from '../../core/text/glob.ts';
import { formatList, formatCount } from '../../core/text/plain.ts';
import { SOURCE_SCHEMA } from '../../daemon/common/documents.ts';
import { detectPage, listOtherTypes, type Detected } from '../../pages/detect.ts';
import { KNOWN_PAGES } from '../../pages/known-pages.ts';
import { explainType, isStrange } from '../../pages/type-hint.ts';
import { toSourceDocument } from '../../store/document-name.ts';
import { StateRefused } from '../../store/finding.ts';
import type { Platform } from '../platform.ts';
import { NAMED, createPoliteOptions } from './sought-page.ts';

/** Timeout of all requests to one page, which may belong to anyone. */
const LOOKED_FOR_MS = 15_000;

export interface PageRemark {
  level: 'warning' | 'note';
  /** Name of the page. */
  page: string;
  message: string;
}

/** In the order of the pages. Never rejects for a response; pages of unknown address are omitted. */
export async function lookAtPages(config: Config, platform: Platform): Promise<PageRemark[]> {
  const pages = config.statusPages.filter(({ baseUrl }) => !hasReference(baseUrl));
  const remarks = await Promise.all(pages.map((page) => lookAt(page, config, platform)));
  return remarks.flat();
}

async function lookAt(page: StatusPageConfig, config: Config, platform: Platform): Promise<PageRemark[]> {
  const { name, type, baseUrl } = page;
  const remark = (message: string, level: PageRemark['level'] = 'note'): PageRemark => ({ level, page: name, message });
  const known = knownAs(page);
  if (type === 'provider') return known === null ? [] : [remark(known, 'warning')];
  const signal = AbortSignal.timeout(LOOKED_FOR_MS);
  const options = createPoliteOptions(baseUrl, platform, config.contact);
  const found = await detectPage(baseUrl, options, signal, [type]);
  if (found.kind === 'detected') {
    const snapshot = await knownOf(page, config, platform);
    const chosen = choiceOf(page, found);
    return [
      ...(snapshot === null ? [] : newPageOf(page, snapshot, found, platform.clock.now()).map((each) => remark(each))),
      ...(chosen === null ? [] : [remark(chosen, 'warning')]),
      ...absentOf(page, found).map((each) => remark(each)),
    ];
  }
  const [{ code, why } = { code: '', why: '' }] = found.tried;
  if (!isStrange(code, type)) {
    return [known === null ? remark(`it could not be read: ${why}`) : remark(known, 'warning')];
  }
  const other = await detectPage(baseUrl, options, signal, listOtherTypes(baseUrl, type));
  if (other.kind === 'detected') return [remark(explainType(other), 'warning')];
  return [remark(`it could not be read: ${why}`)];
}

/** The address may belong to a known vendor. */
function knownAs({ type, baseUrl }: StatusPageConfig): string | null {
  const { host } = new URL(baseUrl);
  const known = KNOWN_PAGES.find(({ page }) => page !== null && new URL(page.url).host === host);
  if (known === undefined || known.page === null || known.page.type === type) return null;
  return `this is the address of ${known.called}, whose page is of another type: set \`type: ${known.page.type}\``;
}

/** Snapshot of the page at this address; null for none, or if it cannot be read. */
async function knownOf(
  { name, baseUrl }: StatusPageConfig,
  config: Config,
  platform: Platform,
): Promise<Snapshot | null> {
  const { withKept } = await import('../kept-state.ts');
  const empty = createPageState(baseUrl);
  try {
    return await withKept(config, platform, async (store) => {
      const { value } = await store.document(toSourceDocument(name), { ...SOURCE_SCHEMA, empty });
      return value.baseUrl === baseUrl ? value.snapshot : null;
    });
  } catch (error) {
    if (error instanceof StateRefused) return null;
    throw error;
  }
}

/** Tests whether another page than the watched one answers there. */
function newPageOf(
  { name, baseUrl, acceptNewPage }: StatusPageConfig,
  snapshot: Snapshot,
  { document }: Detected,
  now: number,
): string[] {
  if (document === null) return [];
  const { after } = judgeDocument(snapshot, document, { now, source: { name, baseUrl } });
  if ((after.document?.other ?? null) !== null) {
    const why = findDocumentMiss(after)?.why ?? '';
    return acceptNewPage
      ? [`${why}; from the next start or reload on the new one is watched, as accept_new_page says`]
      : [
          `${why}. Nothing of it is believed: if it is the right one, write accept_new_page: true, or its new address, and reload`,
        ];
  }
  return acceptNewPage
    ? ['accept_new_page: true is not needed (any more): it is the page that is watched; take it out']
    : [];
}

function choiceOf({ components: { include } }: StatusPageConfig, { choice }: Detected): string | null {
  if (choice === null || include.length > 0) return null;
  const { of, rows, places } = choice;
  const named = places.length === 0 ? '' : ` (among them now: ${formatList(places, NAMED)})`;
  return `components.include is missing: every row of it counts (${rows} now), of all ${of}; name yours${named}`;
}

/** Configured names that are absent: names of components that come and go may appear later. */
function absentOf(
  { components: { include, exclude } }: StatusPageConfig,
  { components, document }: Detected,
): string[] {
  if (components.length === 0 || document === null || document.components === null) return [];
  const [ids, names] = [new Set(components.map(({ id }) => id)), components.map(({ name }) => name)];
  return Object.entries({ include, exclude }).flatMap(([key, patterns]) =>
    patterns
      .filter((pattern) => !ids.has(pattern) && !names.some(compileGlobs([pattern])))
      .map(
        (pattern) =>
          `components.${key}: ${JSON.stringify(pattern)} names none of its ${formatCount(names.length, 'component')}${suggestName(pattern, names)}`,
      ),
  );
}
