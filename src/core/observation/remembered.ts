/**
 * How much is remembered of a source, by count and not only by age: a provider that invents ids for ever must not make
 * the state grow for ever. What is over is forgotten, the oldest first. What is open is never dropped: beyond these
 * numbers nothing new is taken up, and that is told.
 */
import { LIMITS } from './limits.ts';

export const REMEMBERED = {
  /** Fifty times the most that was ever open or announced at once. */
  openNotices: 500,
  /** A year of the busiest page known has 400. */
  closedNotices: 500,
  /** Characters of the histories of all closed notices: 30,000 are the longest known of one. */
  closedTexts: 4_000_000,
  resolvedAlerts: 500,
  components: LIMITS.components,
  phones: LIMITS.extensions,
  toggles: LIMITS.toggles,
} as const;

/** What may be so many that more of it is not followed. */
export type Crowd = 'notices' | 'components' | 'phones' | 'toggles';

const CROWDS: Readonly<Record<Crowd, { most: number; text: string }>> = {
  notices: { most: REMEMBERED.openNotices, text: `notices: more than ${REMEMBERED.openNotices} are open` },
  components: { most: REMEMBERED.components, text: `components: more than ${REMEMBERED.components} are known` },
  phones: { most: REMEMBERED.phones, text: `registrations: more than ${REMEMBERED.phones} phones are known` },
  toggles: { most: REMEMBERED.toggles, text: `toggles: more than ${REMEMBERED.toggles} are known` },
};

/**
 * Which crowds have been told, after a step that turned something away or not, and the sentence for one that is told
 * now. It is told again only after there has been room for a while.
 */
export function tellCrowd(
  told: readonly Crowd[],
  crowd: Crowd,
  { count, turnedAway }: { count: number; turnedAway: boolean },
): { told: readonly Crowd[]; texts: string[] } {
  const { most, text } = CROWDS[crowd];
  if (turnedAway && !told.includes(crowd)) {
    return { told: [...told, crowd], texts: [`${text}; what comes new is not followed until there are fewer`] };
  }
  const isOver = told.includes(crowd) && count < most / 2;
  return { told: isOver ? told.filter((each) => each !== crowd) : told, texts: [] };
}
