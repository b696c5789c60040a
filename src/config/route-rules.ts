/** What has to hold of routes and severity overrides. */
import { asList } from './fields.ts';
import { mistakesInMatchers, sayMistake, type Matchable, type MatcherMistake } from './matchers.ts';
import { tellAt } from './merged.ts';
import type { Merged, Placed } from './merged.ts';
import { didYouMean } from './nearest.ts';
import { quote } from './problem.ts';
import { holdsReference } from './reference-syntax.ts';
import type { RouteEntry } from './route-schema.ts';

type Where = Pick<Placed<unknown>, 'file' | 'path'>;

export function checkRoutes(merged: Merged): void {
  const { main, top } = merged;
  const matchable: Matchable = {
    sources: [...merged.names.statusPages, ...merged.names.accounts],
    labels: merged.accounts.flatMap(({ entry }) => Object.keys(entry.labels ?? {})),
  };
  const root = { file: main, path: ['route'] };
  if (top.route !== undefined) {
    const raw = main.raw as { route?: Record<string, unknown> };
    if (top.route.receivers === undefined && raw.route?.['receivers'] === undefined) {
      tellAt(root, [], 'receivers is required and missing; somebody has to hear of what no child matches');
    }
    checkNames(root, top.route.receivers, merged);
  }
  for (const { entry, file, path } of merged.routes) checkRoute({ file, path }, entry, merged, matchable);
  for (const [index, override] of (top.severity_overrides ?? []).entries()) {
    checkMatchers({ file: main, path: ['severity_overrides', index] }, override.matchers, matchable);
  }
}

function checkRoute(where: Where, route: RouteEntry, merged: Merged, matchable: Matchable): void {
  checkNames(where, route.receivers, merged);
  checkMatchers(where, route.matchers ?? {}, matchable);
  for (const [index, inner] of (route.routes ?? []).entries()) {
    checkRoute({ file: where.file, path: [...where.path, 'routes', index] }, inner, merged, matchable);
  }
}

function checkNames(where: Where, receivers: readonly string[] | undefined, merged: Merged): void {
  const known = [...merged.names.receivers];
  for (const [index, name] of (receivers ?? []).entries()) {
    if (merged.names.receivers.has(name) || holdsReference(name)) continue;
    const named = known.length === 0 ? 'There is none.' : `Named are: ${known.join(', ')}`;
    tellAt(
      where,
      ['receivers', index],
      `no receiver is named ${quote(name)}${didYouMean(name, known) || '.'} ${named}`,
    );
  }
}

type MatcherEntries = Readonly<Record<string, string | readonly string[]>>;

function checkMatchers(where: Where, matchers: MatcherEntries, matchable: Matchable): void {
  const written = Object.entries(matchers).map(([key, value]) => [key, asList<string>(value)] as const);
  for (const mistake of mistakesInMatchers(written, matchable)) {
    const { key, index, what } = mistake;
    if (what !== 'key' && holdsReference(mistake.written)) continue;
    const inside = ['matchers', key, ...(index !== null && Array.isArray(matchers[key]) ? [index] : [])];
    const mayCome = what === 'source' || what === 'kind';
    tellAt(where, inside, sentence(mistake), mayCome ? 'warning' : 'error', what === 'key' ? 'key' : 'value');
  }
}

function sentence(mistake: MatcherMistake): string {
  const { what, written, known } = mistake;
  const meant = didYouMean(written, known);
  switch (what) {
    case 'key':
      return `unknown key${meant || '.'} Allowed: ${known.join(', ')} (the labels of accounts count)`;
    case 'severity':
      return `${quote(written)} is no severity${meant || '.'} Allowed: ${known.join(', ')}`;
    case 'source':
      return `no source is named ${quote(written)}${meant}`;
    case 'kind':
      return `there is no kind ${quote(written)}${meant}`;
    case 'size':
      return sayMistake(mistake);
    default:
      return what satisfies never;
  }
}
