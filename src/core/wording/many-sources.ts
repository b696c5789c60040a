/** Combines several unreachable sources with one alert: counts, names, and their recovery. */
import { formatOutageThing, formatOutageTitle, type SourceOutage } from '../alert/source-outage.ts';
import type { Message } from '../outbox/message.ts';
import { toOneLine } from '../text/plain.ts';
import { listFurtherReasons } from './source.ts';
import { formatSourceName, type DisplayNames } from './baselines.ts';
import { type Combined, createShortList } from './wording.ts';

/** Maximum number of names; the others are counted. */
const NAMED = 20;

/** Null unless all changes are about unreachable sources. */
export function combineSources(
  { changes, outage }: Pick<Message, 'changes' | 'outage'>,
  setting: DisplayNames,
): Combined | null {
  const kinds = new Set(changes.map(({ transition }) => transition.kind));
  const isOfReading = kinds.isSubsetOf(new Set(['source.unreachable', 'source.recovered']));
  if (outage === undefined || !isOfReading) return null;
  const down = outage.sources.flatMap(({ name, isBack }) => (isBack ? [] : [name]));
  const changedSources = new Set(changes.map(({ transition }) => transition.source));
  // The list of changes names each source already.
  const left = changes.length > 1 && down.every((name) => changedSources.has(name)) ? [] : down;
  const names = left.map((name) => formatSourceName(name, setting));
  return {
    headline: formatSourcesHeadline(outage, down.length, kinds.has('source.recovered')),
    thing: formatOutageThing(outage),
    since: null,
    sentences: [
      down.length === 0
        ? 'What changed in the meantime is told separately.'
        : 'Until they can be read again we do not know how things stand there. What was open stays open.',
    ],
    facts: [],
    lists: [
      ...createShortList(
        down.length < outage.sources.length ? 'Still unreachable' : 'Unreachable',
        names,
        NAMED,
        false,
      ),
      ...createShortList('Why', listReasons(changes, setting), NAMED, false),
    ],
    complete: changes.length === 1 && down.length === 0,
  };
}

/** Reasons that the list of changes does not name, by source. */
function listReasons(changes: Message['changes'], setting: DisplayNames): string[] {
  return changes.flatMap(({ transition }) => {
    if (transition.kind !== 'source.unreachable') return [];
    const reasons = listFurtherReasons(transition);
    const called = formatSourceName(transition.source, setting);
    return reasons.length === 0 ? [] : [`${called}: ${reasons.map(toOneLine).join(' ')}`];
  });
}

/** `2 of 3 sources behind https://api.example.com can be read again, 1 still unreachable` */
function formatSourcesHeadline(outage: SourceOutage, down: number, isAnyBack: boolean): string {
  const back = outage.sources.length - down;
  if (!isAnyBack || down === 0 || back === 0) return formatOutageTitle(outage);
  return `${formatOutageThing(outage, back)} can be read again, ${down} still unreachable`;
}
