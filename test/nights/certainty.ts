/** How sure a thread is of its cause, read as its reader does: in titles and texts. */
import { timeOf } from './night.ts';
import type { Read } from './play.ts';

const IS_SURE = /notice.* explains it|confirmed it .* after us/i;
const IS_UNSURE = /may explain it|is suspected|provider suspected/i;
/** A word that what was said before no longer holds, or is over. */
const TAKES_BACK = /no longer|turned out|says it is over|says that it is over|without a word of an end/i;

/** Messages of a thread that are less sure of the cause than one before them. */
export function certaintyFalls(read: readonly Read[]): string[] {
  const sure = new Set<string>();
  return read.flatMap(({ at, alert, title, text }) => {
    const said = `${title}\n${text}`;
    if (TAKES_BACK.test(said)) sure.delete(alert.id);
    if (IS_SURE.test(said)) sure.add(alert.id);
    else if (IS_UNSURE.test(said) && sure.has(alert.id)) return [`${timeOf(at)} #${alert.number} ${title}`];
    return [];
  });
}

/** Titles of messages about phones that name the provider before what is lost. */
export function causesFirst(read: readonly Read[]): string[] {
  return read.flatMap(({ at, alert, title, changes }) => {
    const isOfPhones = changes.some(({ kind }) => /^(registration|outage)\./.test(kind));
    const [cause, loss] = [title.search(/provider|page “|confirmed|explain/i), title.search(/\bphones?\b|extension/i)];
    return isOfPhones && cause !== -1 && (loss === -1 || cause < loss)
      ? [`${timeOf(at)} #${alert.number} ${title}`]
      : [];
  });
}
