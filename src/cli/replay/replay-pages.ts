/** Pages of a replayed history: its own, which steps show without a name, and the named ones. */
import { resolveStatusPage, type AccountConfig, type Config, type StatusPageConfig } from '../../config/config.ts';
import { toCamelCase } from '../../config/schema/fields.ts';
import { suggestName } from '../../config/nearest.ts';
import { formatPath } from '../../config/problem.ts';
import { validate } from '../../config/validate.ts';
import { statusPageSchema } from '../../config/schema/status-page-schema.ts';
import { isObject } from '../../core/text/plain-object.ts';
import type { WorldHistory } from '../../simulator/recorded-history.ts';
import { UsageError } from '../command.ts';

export interface ReplayInput {
  history: WorldHistory;
  /** As named by the user, for error messages. */
  file: string;
  config: Config | null;
  /** The status page of the configuration that it replaces. */
  source: string | undefined;
  timezone: string;
}

export interface PlayedPages {
  own: StatusPageConfig;
  named: readonly StatusPageConfig[];
  /** Pages that may explain an account's losses. */
  all: readonly StatusPageConfig[];
}

/** Throws `UsageError` for wrong settings, and for pages that do not match the configuration. */
export function resolvePages(input: ReplayInput): PlayedPages {
  const named = namedPages(input);
  const own = ownPage(input);
  const { history, file } = input;
  const isOwnShown = history.steps.some(({ page, documents, answers }) => page === null && (documents ?? answers));
  if (!isOwnShown && named.length > 0) return { own, named, all: named };
  if (named.some(({ name }) => name === own.name)) {
    throw new UsageError(
      `${file}: pages.${own.name}: steps without "page" show a page of this name as well; name it there`,
    );
  }
  return { own, named, all: [own, ...named] };
}

function ownPage({ history, file, config, source }: ReplayInput): StatusPageConfig {
  const { type, baseUrl } = history;
  const pages = config?.statusPages ?? [];
  const isNamed = (name: string): boolean => Object.hasOwn(history.pages, name);
  if (source !== undefined) {
    const page = pages.find(({ name }) => name === source);
    if (page === undefined) throw new UsageError(`there is no status page '${source}'`);
    if (isNamed(source)) {
      throw new UsageError(`${file}: pages.${source}: --source is for the page of steps without "page"`);
    }
    if (page.type === type) return page;
    throw new UsageError(`status page '${source}' is of type ${page.type}, and the history of one of type ${type}`);
  }
  const base_url = baseUrl ?? 'https://status.example.com';
  const found = pages.find((page) => page.type === type && !isNamed(page.name));
  return found ?? resolveStatusPage({ name: 'provider', type, base_url });
}

/** Settings in the file take precedence over those of the configuration, key by key. */
function namedPages({ history, file, config }: ReplayInput): StatusPageConfig[] {
  const accounts = new Set([
    ...Object.keys(history.accounts),
    ...history.steps.flatMap(({ account }) => account?.name ?? []),
    ...(config?.accounts ?? []).map(({ name }) => name),
  ]);
  return Object.entries(history.pages).map(([name, written]) => {
    const place = `${file}: pages.${name}`;
    if (accounts.has(name)) throw new UsageError(`${place}: an account has this name as well`);
    const known = config?.statusPages.find((page) => page.name === name);
    const settings = isObject(written) ? written : {};
    const type = known === undefined ? {} : { type: known.type };
    const { draft, mistakes } = validate(statusPageSchema, {
      ...type,
      base_url: `https://${name}.invalid`,
      ...settings,
      name,
    });
    const [mistake] = mistakes;
    if (mistake !== undefined) throw new UsageError(`${place}.${formatPath(mistake.path)}: ${mistake.message}`);
    if (draft === null || !isObject(written)) throw new UsageError(`${place}: it has to be settings of a status page`);
    const played = resolveStatusPage(draft);
    if (known === undefined) return played;
    if (played.type !== known.type) {
      const wanted = `status page '${name}' of the configuration is of type ${known.type}`;
      throw new UsageError(`${place}.type: it is ${played.type}, and ${wanted}`);
    }
    const keys = new Set(Object.keys(settings).map(toCamelCase));
    return { ...known, ...Object.fromEntries(Object.entries(played).filter(([key]) => keys.has(key))) };
  });
}

/** Throws `UsageError` if settings of an account, at this place, name an unknown page. */
export function checkPageNames(
  { statusPage, statusPages, sitePages }: AccountConfig,
  pages: readonly Pick<StatusPageConfig, 'name'>[],
  place: string,
): void {
  const names = [...new Set(pages.map(({ name }) => name))];
  for (const name of [
    ...(statusPage === null ? [] : [statusPage]),
    ...statusPages,
    ...Object.values(sitePages).flat(),
  ]) {
    if (names.includes(name)) continue;
    throw new UsageError(`${place}: there is no status page '${name}'${suggestName(name, names)}`);
  }
}
