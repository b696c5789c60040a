/** Matchers that mute an alert: by what each of its parts is about. The page and the command line ask for the same. */
import type { OpenAlert, PartView, Picture } from './picture.ts';

/** As a silence has them. */
export type PartMatchers = Record<string, string[]>;

/** As many as a list of a provider's page has; a part with more of them is muted by its source. */
const MOST_COMPONENTS = 25;

/** The source, and what of it the part is about where a few names say that. */
export function matchersOf({ sources }: Pick<Picture, 'sources'>, part: PartView): PartMatchers {
  const { source, affected, narrower } = part;
  const isPage = sources.some(({ name, type }) => name === source && type === 'status page');
  const isNamed = isPage && affected.length > 0 && affected.length <= MOST_COMPONENTS;
  return {
    source: [source],
    ...(isNamed && { component: [...affected] }),
    ...(narrower !== null && { [narrower.key]: [...narrower.values] }),
  };
}

/** A silence for each part, since the keys of one are and-ed. Parts that only their source tells apart share one. */
export function muteAlert(picture: Pick<Picture, 'sources'>, { parts }: Pick<OpenAlert, 'parts'>): PartMatchers[] {
  const all = parts.map((part) => matchersOf(picture, part));
  const whole = all.filter((matchers) => Object.keys(matchers).length === 1).flatMap(({ source = [] }) => source);
  // A source that is muted as a whole needs no silence for a part of it.
  const parted = all.filter(
    ({ source = [], ...narrower }) => Object.keys(narrower).length > 0 && !source.some((name) => whole.includes(name)),
  );
  const once = new Map(parted.map((matchers) => [JSON.stringify(matchers), matchers]));
  return [...(whole.length === 0 ? [] : [{ source: [...new Set(whole)] }]), ...once.values()];
}
