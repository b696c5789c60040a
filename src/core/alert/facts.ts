/** What matchers can ask about an alert: each key with everything the alert and its changes have for it. */
import type { AlertView, Change } from './alert.ts';
import { hitsAfter, NO_HITS, type Hits, type Names } from './hits.ts';

export interface Facts {
  /** By key. A map, since keys come from people: `constructor` is a name like any other. */
  values: ReadonlyMap<string, readonly Names[]>;
  /** All that the alert hits, whatever this change is about. */
  hits: Hits;
}

/** What is asked by somebody who says himself what there is of each key. */
export function factsOf(given: Iterable<readonly [string, readonly Names[]]>): Facts {
  const values = new Map(given);
  const of = (key: keyof Hits): readonly Names[] => values.get(key) ?? [];
  return { values, hits: { component: of('component'), extension: of('extension'), site: of('site') } };
}

export function facts(view: AlertView, changes: readonly Change[], labels: Readonly<Record<string, string>>): Facts {
  const hits = changes.reduce((before, { transition }) => hitsAfter(before, transition), view.hits ?? NO_HITS);
  return {
    hits,
    values: new Map<string, readonly Names[]>([
      ...Object.entries(labels).map(([key, value]): [string, Names[]] => [key, [[value]]]),
      ['severity', [[view.severity]]],
      ['source', [[view.source]]],
      ['kind', [...new Set(changes.map(({ transition }) => transition.kind))].map((kind) => [kind])],
      ['component', [...hits.component, ...componentsOf(changes)]],
      ['extension', hits.extension],
      ['site', hits.site],
    ]),
  };
}

/** What a flip is about, although a notice explains it. */
function componentsOf(changes: readonly Change[]): Names[] {
  return changes.flatMap(({ transition: { subject, details } }) =>
    'path' in details ? [[subject.slice('component/'.length), details.name]] : [],
  );
}
