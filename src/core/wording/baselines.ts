/** Summaries of watched sources: one line for a source, and one message for sources that started together. */
import type { BaselineDetails } from '../transition/details.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import { formatCount } from '../text/plain.ts';
import { formatComponentState } from './state-words.ts';
import { type Combined, createList, cleanName, collectSentences, type Setting, type Wording } from './wording.ts';

export type DisplayNames = Pick<Setting, 'customer' | 'displayName'>;

/** Name of the source's customer or account for people; a page has its own name only. */
export function formatSourceName(source: string, { customer, displayName }: DisplayNames): string {
  return cleanName(customer(source) ?? displayName?.(source) ?? source);
}

/** "60 components, 2 notices"; components are left out where there are none, as on pages that show none. */
export function describeWatched(details: BaselineDetails): string {
  if (details.account !== undefined) return describeAccount(details.account);
  const notices = details.notices === 0 ? 'no notices' : formatCount(details.notices, 'notice');
  return [...(details.components === 0 ? [] : [formatCount(details.components, 'component')]), notices].join(', ');
}

function describeAccount({ phones, extensions, toggles }: NonNullable<BaselineDetails['account']>): string {
  const counted =
    extensions === undefined ? formatCount(phones?.total ?? 0, 'phone') : formatCount(extensions, 'extension');
  const registered = phones === null ? 'phones not known yet' : `${phones.registered} of ${counted} registered`;
  return `${registered}, ${toggles === null ? 'toggles not known yet' : formatCount(toggles, 'toggle')}`;
}

/** Combines the summaries of sources that started together. */
export function combineBaselines(
  transitions: readonly Transition[],
  wordings: readonly Wording[],
  setting: DisplayNames,
): Combined | null {
  const baselines = transitions.filter(
    (each): each is TransitionOf<'source.baseline'> => each.kind === 'source.baseline',
  );
  if (baselines.length !== transitions.length) return null;
  const open = baselines.reduce((sum, each) => sum + each.details.open.length, 0);
  const thing = formatCount(baselines.length, 'source');
  return {
    headline: `Watching ${thing} — ${open === 0 ? 'nothing open' : `${formatCount(open, 'alert')} open`}`,
    thing,
    // Sentences of a source without open alerts would be wrong for the others.
    sentences: open === 0 ? collectSentences(wordings) : [],
    facts: [],
    lists: createList(
      'Watching',
      baselines.map((each) => describeBaseline(each, setting)),
      false,
    ).map((sources) => ({
      ...sources,
      places: baselines.length,
    })),
    complete: true,
  };
}

function describeBaseline({ source, details }: TransitionOf<'source.baseline'>, setting: DisplayNames): string {
  const page = details.page === null ? '' : `; the page says ${formatComponentState(details.page.state).toLowerCase()}`;
  return `${formatSourceName(source, setting)}: ${describeWatched(details)}${page}`;
}
