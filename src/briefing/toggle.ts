/** Wording of action toggles: what was switched, and what does not follow the hours it should. */
import type { Kind } from '../transition/kind.ts';
import type { ExpectationDetails, Transition } from '../transition/transition.ts';
import { ACCOUNT } from './registration.ts';
import { listed } from './text.ts';
import type { Tellers, Wording } from './wording.ts';
import { fact, named, timeText, wording } from './wording.ts';

function word(status: boolean | null): string {
  return status === null ? 'unknown' : status ? 'on' : 'off';
}

function thingOf({ name, expectation }: ExpectationDetails): string {
  return `“${named(name ?? expectation.toggle)}”`;
}

/** Left as it was when its hours changed, as when nobody switches it off in the morning. */
function wasLeft({ since, switched_at: switchedAt }: ExpectationDetails): boolean {
  return switchedAt !== null && since !== null && Date.parse(switchedAt) < Date.parse(since);
}

export const toggleWording: Tellers<
  | 'toggle.state'
  | 'toggle.renamed'
  | 'toggle.added'
  | 'toggle.removed'
  | 'toggle.off_schedule'
  | 'toggle.on_schedule'
  | 'toggle.missing'
> = {
  'toggle.state'({ from, to, details }) {
    const thing = `“${named(details.name)}”`;
    return wording(`Switched ${word(to)}: ${thing}`, thing, {
      where: ACCOUNT,
      standing: word(to),
      facts: fact('Toggle', `${word(from)} → ${word(to)}`),
    });
  },

  'toggle.renamed'({ from, to }) {
    return wording(`Toggle renamed: “${named(from)}” is now “${named(to)}”`, `“${named(to)}”`, { where: ACCOUNT });
  },

  'toggle.added'({ to, details }) {
    return wording(`New toggle: “${named(to)}”, ${word(details.status)}`, `“${named(to)}”`, { where: ACCOUNT });
  },

  'toggle.removed'({ from, details }) {
    const thing = `“${named(from)}”`;
    return wording(`Toggle deleted: ${thing}, last ${word(details.status)}`, thing, {
      where: ACCOUNT,
      sentences: ['It is gone, which is not the same as off: what its call flow does now is not known.'],
    });
  },

  'toggle.off_schedule'({ from, to, details }, setting) {
    const thing = thingOf(details);
    const still = wasLeft(details) ? 'still ' : '';
    return wording(`${thing} is ${still}${word(from)} and should be ${word(to)}`, thing, {
      where: ACCOUNT,
      standing: `${word(from)}, should be ${word(to)}`,
      sentences: ['This is not what its hours in the configuration say.'],
      // Since when it is off its hours is said of every alert.
      facts: fact(`Switched ${word(from)}`, timeText(details.switched_at, setting)),
    });
  },

  'toggle.on_schedule'({ to, details }) {
    const thing = thingOf(details);
    return wording(`${thing} is ${word(to)}, as it should be`, thing, { where: ACCOUNT, standing: 'as it should be' });
  },

  'toggle.missing'({ details }) {
    const thing = thingOf(details);
    const { matches = 0 } = details;
    const several = matches > 1;
    return wording(several ? `${matches} toggles are called ${thing}` : `Toggle not found: ${thing}`, thing, {
      where: ACCOUNT,
      standing: several ? 'not clear which is meant' : 'not found',
      sentences: details.reason === null ? [] : [named(details.reason)],
    });
  },
};

/** Several toggles that change alike in one sweep are one piece of news. */
export function manyToggles(
  transitions: readonly Transition[],
): (Pick<Wording, 'headline' | 'thing'> & Partial<Pick<Wording, 'sentences'>>) | null {
  const states = transitions.filter((each) => each.kind === 'toggle.state');
  if (states.length === transitions.length) {
    const thing = listed(states.map(quoted), 3);
    const ways = new Set(states.map(({ to }) => to));
    const [way = null] = ways;
    const headline =
      ways.size === 1
        ? `Switched ${word(way)}: ${thing}`
        : `Switched: ${listed(
            states.map((each) => `${quoted(each)} ${word(each.to)}`),
            3,
          )}`;
    return { headline, thing };
  }
  const [first] = transitions;
  const verb = first === undefined ? undefined : MANY[first.kind];
  if (verb === undefined || transitions.some(({ kind }) => kind !== first?.kind)) return null;
  const thing = listed(transitions.map(quoted), 3);
  const sentences =
    first?.kind === 'toggle.removed'
      ? ['They are gone, which is not the same as off: what their call flows do now is not known.']
      : [];
  return { headline: `${verb}: ${thing}`, thing, sentences };
}

const MANY: { readonly [K in Kind]?: string } = {
  'toggle.added': 'New toggles',
  'toggle.removed': 'Toggles deleted',
  'toggle.renamed': 'Toggles renamed',
};

function quoted({ details, subject }: Transition): string {
  return `“${named('name' in details && details.name !== null ? details.name : subject)}”`;
}
