/** What has to hold of routes and severity overrides. */
import { KINDS, SEVERITIES } from '../transition/kind.ts';
import { asList } from './fields.ts';
import { globs, isGlob } from './glob.ts';
import { tellAt } from './merged.ts';
import type { Merged, Placed } from './merged.ts';
import { didYouMean } from './nearest.ts';
import { quote } from './problem.ts';
import type { Path } from './problem.ts';
import { holdsReference } from './reference-syntax.ts';
import { MATCHER_KEYS } from './route-schema.ts';
import type { RouteEntry } from './route-schema.ts';

type Where = Pick<Placed<unknown>, 'file' | 'path'>;

export function checkRoutes(merged: Merged): void {
  const { main, top } = merged;
  const labels = new Set(merged.accounts.flatMap(({ entry }) => Object.keys(entry.labels ?? {})));
  const root = { file: main, path: ['route'] };
  if (top.route !== undefined) {
    const raw = main.raw as { route?: Record<string, unknown> };
    if (top.route.receivers === undefined && raw.route?.['receivers'] === undefined) {
      tellAt(root, [], 'receivers is required and missing; somebody has to hear of what no child matches');
    }
    checkNames(root, top.route.receivers, merged);
  }
  for (const { entry, file, path } of merged.routes) checkRoute({ file, path }, entry, merged, labels);
  for (const [index, override] of (top.severity_overrides ?? []).entries()) {
    checkMatchers({ file: main, path: ['severity_overrides', index] }, override.matchers, merged, labels);
  }
}

function checkRoute(where: Where, route: RouteEntry, merged: Merged, labels: ReadonlySet<string>): void {
  checkNames(where, route.receivers, merged);
  checkMatchers(where, route.matchers ?? {}, merged, labels);
  for (const [index, inner] of (route.routes ?? []).entries()) {
    checkRoute({ file: where.file, path: [...where.path, 'routes', index] }, inner, merged, labels);
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

function checkMatchers(where: Where, matchers: MatcherEntries, merged: Merged, labels: ReadonlySet<string>): void {
  const keys = new Set([...MATCHER_KEYS, ...labels]);
  for (const [key, value] of Object.entries(matchers)) {
    const inside = ['matchers', key];
    if (!keys.has(key)) {
      const message = `unknown key${didYouMean(key, keys) || '.'} Allowed: ${[...keys].join(', ')} (the labels of accounts count)`;
      tellAt(where, inside, message, 'error', 'key');
    }
    for (const [index, one] of asList<string>(value).entries()) {
      checkValue(where, Array.isArray(value) ? [...inside, index] : inside, key, one, merged);
    }
  }
}

/** A severity is one of three; a source or kind that does not exist yet may come, so it is only pointed out. */
function checkValue(where: Where, inside: Path, key: string, value: string, { names }: Merged): void {
  if (holdsReference(value)) return;
  const matches = globs([value]);
  if (key === 'severity' && !SEVERITIES.some(matches)) {
    tellAt(
      where,
      inside,
      `${quote(value)} is no severity${didYouMean(value, SEVERITIES) || '.'} Allowed: ${SEVERITIES.join(', ')}`,
    );
  }
  if (key === 'source') {
    const sources = [...names.statusPages, ...names.accounts];
    if (!sources.some(matches))
      tellAt(where, inside, `no source is named ${quote(value)}${didYouMean(value, sources)}`, 'warning');
  }
  if (
    key === 'kind' &&
    !isGlob(value) &&
    !KINDS.some(matches) &&
    /^(page|component|notice|maintenance|source|receiver|linewatch)\./.test(value)
  ) {
    tellAt(where, inside, `there is no kind ${quote(value)}${didYouMean(value, KINDS)}`, 'warning');
  }
}
