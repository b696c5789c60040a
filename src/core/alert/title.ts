/** What an alert is called. It is made anew from facts whenever they change; nothing ever reads it to find out what happened. */
import { formatList } from '../text/plain.ts';
export interface Title {
  title: string;
  /** The same in two parts, for "Still STATE after 4 h: THING"; the state is null where the provider gave the title. */
  thing: string;
  state: string | null;
}

/** `thing` is what a reader knows it by: a page, an account or an origin. */
export function createUnreachableTitle(thing: string): Title {
  return { title: `${thing} unreachable`, thing, state: 'unreachable' };
}

/** Of access that is refused to a part only. */
export function createPartRefusedTitle(thing: string, parts: readonly string[] | null | undefined): Title | null {
  if (parts === null || parts === undefined) return null;
  const refused = `${thing}: ${formatList(parts, 3)}`;
  return { title: `${refused} refused`, thing: refused, state: 'refused' };
}

/** Gives an alert its title of now. Where the facts are gone it keeps the last one. */
export function setTitle(alert: { title: string; still?: Pick<Title, 'thing' | 'state'> }, made: Title | null): void {
  if (made === null) return;
  const { title, thing, state } = made;
  alert.title = title;
  alert.still = { thing, state };
}
