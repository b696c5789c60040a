/** Wording of changes of the page and its components. */
import { dropDuplicates } from '../../page/groups.ts';
import type { Component } from '../../page/page-model.ts';
import type { Kind } from '../../transition/kind.ts';
import { capitalize, formatList } from '../../text/plain.ts';
import type { Transition } from '../../transition/transition.ts';
import type { ComponentDetails } from '../../transition/details.ts';
import {
  createFact,
  cleanName,
  cleanTitle,
  collectSentences,
  createStatusPageLink,
  createWording,
  type Fact,
  type WordingTable,
  type Combined,
  type Wording,
} from '../wording.ts';
import { formatArrow, formatComponentState, isKnownComponentState, addVendorWord } from '../state-words.ts';

type Explained = Pick<ComponentDetails, 'notice' | 'notices_unread' | 'unnamed'>;
type Explanation = Explained['notice'];

function explainState(details: Explained, state: string, by: string): string[] {
  const { notice } = details;
  const operational = state === 'operational';
  if (!operational && !isKnownComponentState(state)) {
    return ['This state is not one we know; it does not count as operational.', ...explainByNotice(details, by)];
  }
  if (!operational) return explainByNotice(details, by);
  if (notice === null) return [];
  return [`When it is over is for ${by}’s notice “${cleanTitle(notice.subject)}” to say: this is not an all-clear.`];
}

function explainByNotice({ notice, notices_unread: isUnread, unnamed }: Explained, by: string): string[] {
  if (notice === null && isUnread === true) {
    return [`${capitalize(by)}’s notices could not be read just then; there may be one about it.`];
  }
  if (notice === null && unnamed !== undefined) {
    return [
      `${capitalize(by)} has published no new notice; “${cleanTitle(unnamed.subject)}” is still open and names no component.`,
    ];
  }
  if (notice === null) return [`${capitalize(by)} has published no notice about it yet.`];
  return [`${capitalize(by)}’s notice about it: “${cleanTitle(notice.subject)}”.`];
}

function formatStateHeadline(thing: string, state: string): string {
  if (state === 'operational') return `Operational again: ${thing}`;
  return isKnownComponentState(state)
    ? `${formatComponentState(state)}: ${thing}`
    : `In the state ${formatComponentState(state)}: ${thing}`;
}

function place(details: ComponentDetails): Fact[] {
  return createFact('Part of', details.path.map(cleanName).join(' › '));
}

function describeRemaining(
  thing: string,
  to: string,
  notice: Explanation,
  by: string,
  { yet, ...more }: Partial<Wording> & { yet: string },
): Wording {
  const state = formatComponentState(to).toLowerCase();
  const ended = notice === null ? 'its notice' : `the notice “${cleanTitle(notice.subject)}”`;
  return createWording(`Still ${state}: ${thing} — though ${by}’s notice has ended`, thing, {
    standing: `${state}, though ${by}’s notice has ended`,
    sentences: [`${capitalize(by)} has ended ${ended}, ${yet} ${state}.`],
    ...more,
  });
}

export const componentWording: WordingTable<Extract<Kind, `page.${string}` | `component.${string}`>> = {
  'page.state'({ from, to, details }, { by }) {
    const thing = `${cleanName(details.name)}, the status page as a whole`;
    return createWording(formatStateHeadline(thing, to), thing, {
      standing: formatComponentState(to).toLowerCase(),
      sentences: explainState(details, to, by),
      facts: createFact(
        'State',
        formatArrow(formatComponentState(from), addVendorWord(formatComponentState(to), details.word)),
      ),
      links: createStatusPageLink(by, details.url),
    });
  },

  'page.remains'({ to, details }, { by }) {
    const thing = `${cleanName(details.name)}, the status page as a whole`;
    return describeRemaining(thing, to, details.notice, by, {
      yet: 'yet the page as a whole is still',
      facts: createFact('State', formatComponentState(to)),
      links: createStatusPageLink(by, details.url),
    });
  },

  'page.renamed'({ from, to, details }, { by }) {
    return createWording(`The status page is now called “${cleanName(to)}”`, cleanName(to), {
      facts: createFact('Name', formatArrow(cleanName(from), cleanName(to))),
      links: createStatusPageLink(by, details.url),
    });
  },

  'component.state'({ from, to, details }, { by }) {
    const thing = cleanName(details.name);
    return createWording(formatStateHeadline(thing, to), thing, {
      standing: formatComponentState(to).toLowerCase(),
      sentences: explainState(details, to, by),
      facts: [
        ...createFact(
          'State',
          formatArrow(formatComponentState(from), addVendorWord(formatComponentState(to), details.word)),
        ),
        ...place(details),
      ],
    });
  },

  'component.remains'({ to, details }, { by }) {
    return describeRemaining(cleanName(details.name), to, details.notice, by, {
      yet: 'yet still shows this component as',
      facts: [...createFact('State', addVendorWord(formatComponentState(to), details.word)), ...place(details)],
    });
  },

  'component.added'({ details }) {
    return createWording(`New on the status page: ${cleanName(details.name)}`, cleanName(details.name), {
      facts: [
        ...createFact('State', addVendorWord(formatComponentState(details.state), details.word)),
        ...place(details),
      ],
    });
  },

  'component.removed'({ details }) {
    return createWording(`No longer on the status page: ${cleanName(details.name)}`, cleanName(details.name), {
      sentences: ['From now on nothing is known about this component.'],
      facts: [...createFact('Last state', formatComponentState(details.state)), ...place(details)],
    });
  },

  'component.renamed'({ from, to, details }) {
    return createWording(`Renamed: ${cleanName(from)} is now ${cleanName(to)}`, cleanName(to), {
      facts: [...createFact('Name', formatArrow(cleanName(from), cleanName(to))), ...place(details)],
    });
  },

  'component.moved'({ source, from, to, details }, { names }) {
    const parent = (id: string | null): string =>
      id === null ? 'the top level' : cleanName(names(source, id) ?? `component ${id}`);
    const inside = to === null ? undefined : details.path.at(-1);
    const now = inside === undefined ? parent(to) : cleanName(inside);
    return createWording(`Moved: ${cleanName(details.name)} now belongs to ${now}`, cleanName(details.name), {
      facts: [...createFact('Belonged to', parent(from)), ...place(details)],
    });
  },
};

/** Combines components and the page that change in one sweep, grouped by their present state. */
export function combineFlips(transitions: readonly Transition[], wordings: readonly Wording[]): Combined | null {
  const latest = new Map<string, ComponentChange>();
  for (const each of transitions) {
    const flip = toFlip(each);
    if (flip === null) return null;
    latest.set(each.subject, flip);
  }
  const flipped = dropDuplicates([...latest.values()]);
  const groups = [...Map.groupBy(flipped, (flip) => flip.state)];
  const parts = groups.map(
    ([label, flips]) =>
      `${label}: ${formatList(
        flips.map((flip) => flip.name),
        3,
      )}`,
  );
  return {
    headline: parts.join('; '),
    thing: formatList(
      flipped.map((flip) => flip.name),
      3,
    ),
    // A sentence about an earlier change of the same component is outdated.
    sentences: collectSentences(wordings.filter((_, index) => isLatest(transitions, index))),
    complete: latest.size === transitions.length && groups.every(([, flips]) => flips.length <= 3),
  };
}

function isLatest(transitions: readonly Transition[], index: number): boolean {
  return transitions.findLastIndex(({ subject }) => subject === transitions[index]?.subject) === index;
}

/** A changed component or page; `id` is the subject, `state` the text of its state. */
type ComponentChange = Pick<Component, 'id' | 'parentId' | 'name' | 'state' | 'group'>;

function toFlip(transition: Transition): ComponentChange | null {
  const { subject: id } = transition;
  switch (transition.kind) {
    case 'component.state':
    case 'component.remains': {
      const { parent_id: parent, name, group } = transition.details;
      const parentId = parent === null ? null : `component/${parent}`;
      return { id, parentId, name: cleanName(name), state: formatFlip(transition), ...(group === true && { group }) };
    }
    case 'page.state':
    case 'page.remains':
      return { id, parentId: null, name: 'the status page as a whole', state: formatFlip(transition) };
    default:
      return null;
  }
}

function formatFlip({ kind, to }: { kind: string; to: string }): string {
  if (kind.endsWith('.remains')) return `Still ${formatComponentState(to).toLowerCase()}`;
  return to === 'operational' ? 'Operational again' : formatComponentState(to);
}
