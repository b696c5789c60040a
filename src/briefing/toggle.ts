/** Wording of action toggles: what was switched, and what does not follow the hours it should. */
import type { ExpectationDetails } from '../transition/transition.ts';
import { ACCOUNT } from './registration.ts';
import type { Tellers } from './wording.ts';
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
      facts: [
        ...fact(`Switched ${word(from)}`, timeText(details.switched_at, setting)),
        ...fact('Off its hours since', timeText(details.since, setting)),
      ],
    });
  },

  'toggle.on_schedule'({ to, details }) {
    const thing = thingOf(details);
    return wording(`${thing} is ${word(to)}, as it should be`, thing, { where: ACCOUNT, standing: 'as it should be' });
  },

  'toggle.missing'({ details }) {
    const thing = thingOf(details);
    return wording(`Toggle not found: ${thing}`, thing, {
      where: ACCOUNT,
      standing: 'not found',
      sentences: details.reason === null ? [] : [named(details.reason)],
    });
  },
};
