/** Title of an alert, renewed from facts whenever they change. No code parses it. */
import { formatList } from '../text/plain.ts';
export interface Title {
  title: string;
  /** The same in two parts, for "Still STATE after 4 h: THING"; the state is null where the provider gave the title. */
  thing: string;
  state: string | null;
}

/** `thing`: a page, an account or an origin, by its name. */
export function createUnreachableTitle(thing: string): Title {
  return { title: `${thing} unreachable`, thing, state: 'unreachable' };
}

/** Title for access that is refused to some parts; null if it is refused to all, or to none. */
export function createPartRefusedTitle(thing: string, parts: readonly string[] | null | undefined): Title | null {
  if (parts === null || parts === undefined) return null;
  const refused = `${thing}: ${formatList(parts, 3)}`;
  return { title: `${refused} refused`, thing: refused, state: 'refused' };
}

/** Gives an alert its current title. If the facts are gone it keeps the last one. */
export function setTitle(alert: { title: string; still?: Pick<Title, 'thing' | 'state'> }, made: Title | null): void {
  if (made === null) return;
  const { title, thing, state } = made;
  alert.title = title;
  alert.still = { thing, state };
}
