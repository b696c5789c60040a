/** Wording of changes of the page and its components. */
import { dropDuplicates } from '../../page/groups.ts';
import type { Kind } from '../../transition/kind.ts';
import { capitalize, formatList } from '../../text/plain.ts';
import type { Transition } from '../../transition/transition.ts';
import type { ComponentDetails } from '../../transition/details.ts';
import {
  fact,
  named,
  sentencesOf,
  statusPageLink,
  wording,
  type Fact,
  type Tellers,
  type Combined,
  type Wording,
} from '../wording.ts';
import { changed, componentLabel, isKnownComponentState, withWord } from '../state-words.ts';

type Explanation = { id: string; subject: string } | null;

function explainState(notice: Explanation, state: string, by: string): string[] {
  const operational = state === 'operational';
  if (!operational && !isKnownComponentState(state)) {
    return ['This state is not one we know; it does not count as operational.', ...explainByNotice(notice, by)];
  }
  if (!operational) return explainByNotice(notice, by);
  if (notice === null) return [];
  return [`When it is over is for ${by}’s notice “${named(notice.subject)}” to say: this is not an all-clear.`];
}

function explainByNotice(notice: Explanation, by: string): string[] {
  if (notice === null) return [`${capitalize(by)} has published no notice about it yet.`];
  return [`${capitalize(by)}’s notice about it: “${named(notice.subject)}”.`];
}

function formatStateHeadline(thing: string, state: string): string {
  if (state === 'operational') return `Operational again: ${thing}`;
  return isKnownComponentState(state)
    ? `${componentLabel(state)}: ${thing}`
    : `In the state ${componentLabel(state)}: ${thing}`;
}

function place(details: ComponentDetails): Fact[] {
  return fact('Part of', details.path.map(named).join(' › '));
}

function describeRemaining(
  thing: string,
  to: string,
  notice: Explanation,
  by: string,
  { yet, ...more }: Partial<Wording> & { yet: string },
): Wording {
  const state = componentLabel(to).toLowerCase();
  const ended = notice === null ? 'its notice' : `the notice “${named(notice.subject)}”`;
  return wording(`Still ${state}: ${thing} — though ${by}’s notice has ended`, thing, {
    standing: `${state}, though ${by}’s notice has ended`,
    sentences: [`${capitalize(by)} has ended ${ended}, ${yet} ${state}.`],
    ...more,
  });
}

export const componentWording: Tellers<Extract<Kind, `page.${string}` | `component.${string}`>> = {
  'page.state'({ from, to, details }, { by }) {
    const thing = `${named(details.name)}, the status page as a whole`;
    return wording(formatStateHeadline(thing, to), thing, {
      standing: componentLabel(to).toLowerCase(),
      sentences: explainState(details.notice, to, by),
      facts: fact('State', changed(componentLabel(from), withWord(componentLabel(to), details.word))),
      links: statusPageLink(by, details.url),
    });
  },

  'page.remains'({ to, details }, { by }) {
    const thing = `${named(details.name)}, the status page as a whole`;
    return describeRemaining(thing, to, details.notice, by, {
      yet: 'yet the page as a whole is still',
      facts: fact('State', componentLabel(to)),
      links: statusPageLink(by, details.url),
    });
  },

  'page.renamed'({ from, to, details }, { by }) {
    return wording(`The status page is now called “${named(to)}”`, named(to), {
      facts: fact('Name', changed(named(from), named(to))),
      links: statusPageLink(by, details.url),
    });
  },

  'component.state'({ from, to, details }, { by }) {
    const thing = named(details.name);
    return wording(formatStateHeadline(thing, to), thing, {
      standing: componentLabel(to).toLowerCase(),
      sentences: explainState(details.notice, to, by),
      facts: [
        ...fact('State', changed(componentLabel(from), withWord(componentLabel(to), details.word))),
        ...place(details),
      ],
    });
  },

  'component.remains'({ to, details }, { by }) {
    return describeRemaining(named(details.name), to, details.notice, by, {
      yet: 'yet still shows this component as',
      facts: [...fact('State', withWord(componentLabel(to), details.word)), ...place(details)],
    });
  },

  'component.added'({ details }) {
    return wording(`New on the status page: ${named(details.name)}`, named(details.name), {
      facts: [...fact('State', withWord(componentLabel(details.state), details.word)), ...place(details)],
    });
  },

  'component.removed'({ details }) {
    return wording(`No longer on the status page: ${named(details.name)}`, named(details.name), {
      sentences: ['From now on nothing is known about this component.'],
      facts: [...fact('Last state', componentLabel(details.state)), ...place(details)],
    });
  },

  'component.renamed'({ from, to, details }) {
    return wording(`Renamed: ${named(from)} is now ${named(to)}`, named(to), {
      facts: [...fact('Name', changed(named(from), named(to))), ...place(details)],
    });
  },

  'component.moved'({ source, from, to, details }, { names }) {
    const parent = (id: string | null): string =>
      id === null ? 'the top level' : named(names(source, id) ?? `component ${id}`);
    const inside = to === null ? undefined : details.path.at(-1);
    const now = inside === undefined ? parent(to) : named(inside);
    return wording(`Moved: ${named(details.name)} now belongs to ${now}`, named(details.name), {
      facts: [...fact('Belonged to', parent(from)), ...place(details)],
    });
  },
};

/** Combines components and the page that change in one sweep, grouped by their present state. */
export function manyFlips(transitions: readonly Transition[], wordings: readonly Wording[]): Combined | null {
  const latest = new Map<string, Flip>();
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
    sentences: sentencesOf(wordings.filter((_, index) => isLatest(transitions, index))),
    complete: latest.size === transitions.length && groups.every(([, flips]) => flips.length <= 3),
  };
}

function isLatest(transitions: readonly Transition[], index: number): boolean {
  return transitions.findLastIndex(({ subject }) => subject === transitions[index]?.subject) === index;
}

/** A changed component or page; `id` is the subject, `state` the text of its state. */
interface Flip {
  id: string;
  parentId: string | null;
  name: string;
  state: string;
  group?: true;
}

function toFlip(transition: Transition): Flip | null {
  const { subject: id } = transition;
  switch (transition.kind) {
    case 'component.state':
    case 'component.remains': {
      const { parent_id: parent, name, group } = transition.details;
      const parentId = parent === null ? null : `component/${parent}`;
      return { id, parentId, name: named(name), state: formatFlip(transition), ...(group === true && { group }) };
    }
    case 'page.state':
    case 'page.remains':
      return { id, parentId: null, name: 'the status page as a whole', state: formatFlip(transition) };
    default:
      return null;
  }
}

function formatFlip({ kind, to }: { kind: string; to: string }): string {
  if (kind.endsWith('.remains')) return `Still ${componentLabel(to).toLowerCase()}`;
  return to === 'operational' ? 'Operational again' : componentLabel(to);
}
