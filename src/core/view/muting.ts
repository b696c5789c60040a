/** Matchers that mute an alert, from the subjects of its parts; used by page and command line. */
import type { OpenAlert, PartView, SystemStatus } from './system-status.ts';

/** Matchers in the form of a silence. */
export type PartMatchers = Record<string, string[]>;

/** Length of a list on the provider's page; a part with more components is muted by its source. */
const MOST_COMPONENTS = 25;

/** Matchers for the source, and for the part's subjects if a few names describe them. */
export function createPartMatchers({ sources }: Pick<SystemStatus, 'sources'>, part: PartView): PartMatchers {
  const { source, affected, narrower } = part;
  const isPage = sources.some(({ name, type }) => name === source && type === 'status page');
  const isNamed = isPage && affected.length > 0 && affected.length <= MOST_COMPONENTS;
  return {
    source: [source],
    ...(isNamed && { component: [...affected] }),
    ...(narrower !== null && { [narrower.key]: [...narrower.values] }),
  };
}

/** A silence for each part, as the keys of one are combined with AND. Parts that differ only by source share one. */
export function muteAlert(status: Pick<SystemStatus, 'sources'>, { parts }: Pick<OpenAlert, 'parts'>): PartMatchers[] {
  const all = parts.map((part) => createPartMatchers(status, part));
  const whole = all.filter((matchers) => Object.keys(matchers).length === 1).flatMap(({ source = [] }) => source);
  // A source muted as a whole needs no silence for its parts.
  const parted = all.filter(
    ({ source = [], ...narrower }) => Object.keys(narrower).length > 0 && !source.some((name) => whole.includes(name)),
  );
  const once = new Map(parted.map((matchers) => [JSON.stringify(matchers), matchers]));
  return [...(whole.length === 0 ? [] : [{ source: [...new Set(whole)] }]), ...once.values()];
}
