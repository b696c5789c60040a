/** Wording of action toggles: changes, and deviations from expected hours. */
import type { Kind } from '../../transition/kind.ts';
import type { Transition } from '../../transition/transition.ts';
import type { ExpectationDetails } from '../../transition/details.ts';
import { formatList, toOneLine } from '../../text/plain.ts';
import { parseInstant, formatShortTime, findZoneName } from '../time.ts';
import {
  ACCOUNT,
  createFact,
  createMomentFact,
  cleanName,
  createWording,
  type Setting,
  type WordingTable,
  type Combined,
} from '../wording.ts';

/** `on`, `off` or `unknown`. */
export function formatToggle(status: boolean | null): string {
  return status === null ? 'unknown' : status ? 'on' : 'off';
}

function formatThing({ name, expectation }: ExpectationDetails): string {
  return `“${cleanName(name ?? expectation.toggle)}”`;
}

export type ToggleKind = Extract<Kind, `toggle.${string}`>;

export const toggleWording: WordingTable<ToggleKind> = {
  'toggle.state'({ from, to, details }) {
    const thing = `“${cleanName(details.name)}”`;
    return createWording(`Switched ${formatToggle(to)}: ${thing}`, thing, {
      where: ACCOUNT,
      standing: formatToggle(to),
      facts: createFact('Toggle', `${formatToggle(from)} → ${formatToggle(to)}`),
    });
  },

  'toggle.renamed'({ from, to }) {
    return createWording(`Toggle renamed: “${cleanName(from)}” is now “${cleanName(to)}”`, `“${cleanName(to)}”`, {
      where: ACCOUNT,
    });
  },

  'toggle.added'({ to, details }) {
    return createWording(`New toggle: “${cleanName(to)}”, ${formatToggle(details.status)}`, `“${cleanName(to)}”`, {
      where: ACCOUNT,
    });
  },

  'toggle.removed'({ from, details }) {
    const thing = `“${cleanName(from)}”`;
    return createWording(`Toggle deleted: ${thing}, last ${formatToggle(details.status)}`, thing, {
      where: ACCOUNT,
      sentences: ['It is gone, which is not the same as off: what its call flow does now is not known.'],
    });
  },

  'toggle.off_schedule'({ source, from, to, details }, setting) {
    const thing = formatThing(details);
    return createWording(
      `${thing} ${formatSwitched(from, details, setting)}; expected ${formatLoud(to)}${formatExpectedHours(details, setting)}`,
      thing,
      {
        where: ACCOUNT,
        standing: `${formatLoud(from)}, expected ${formatLoud(to)}`,
        sentences: [
          explainDeviation(from, details),
          ...explainHowToSwitch(to, details, setting.customer(source) === null ? '' : ` --account ${source}`),
        ],
        // All alerts have a fact for their start.
        facts: createMomentFact(`Switched ${formatToggle(from)}`, parseInstant(details.switched_at), setting),
      },
    );
  },

  'toggle.on_schedule'({ to, details }) {
    const thing = formatThing(details);
    const how = details.by_hours === true ? ', as is expected at this hour' : ' again, as expected';
    return createWording(`${thing} is ${formatLoud(to)}${how}`, thing, {
      where: ACCOUNT,
      sentences: details.by_hours === true ? ['It was not switched: other hours have begun.'] : [],
      standing: 'as expected',
    });
  },

  'toggle.missing'({ details }) {
    const thing = formatThing(details);
    const { matches = 0, ids = [] } = details;
    if (matches > 1) {
      return createWording(
        `${matches} toggles are called ${thing}: use the id in toggles.expect${ids.length === 0 ? '' : ` (${ids.slice(0, 10).map(toOneLine).join(', ')})`}`,
        thing,
        {
          where: ACCOUNT,
          standing: 'not clear which is meant',
          sentences: ['Until then its hours are not watched.'],
        },
      );
    }
    return createWording(`Toggle not found: ${thing}`, thing, {
      where: ACCOUNT,
      standing: 'not found',
      sentences: [
        ...(details.reason === null ? [] : [cleanName(details.reason)]),
        'Its hours are not watched. Correct `toggles.expect` in the configuration, or create the toggle again.',
      ],
    });
  },
};

/** Maximum number of week ranges in a headline. */
const SHOWN_RANGES = 4;

/** Names of toggles for closed hours. */
const NIGHT = /after.?hours|night|closed/i;

function formatLoud(status: boolean | null): string {
  return formatToggle(status).toUpperCase();
}

/** `has been ON since Fri 17:31 AEDT` if the time of switching is known, else `is ON`. */
function formatSwitched(
  from: boolean | null,
  { switched_at: switchedAt }: ExpectationDetails,
  { timezone, now }: Setting,
): string {
  const at = parseInstant(switchedAt);
  return at === null
    ? `is ${formatLoud(from)}`
    : `has been ${formatLoud(from)} since ${formatShortTime(at, timezone, now)} ${findZoneName(at, timezone)}`;
}

/**
 * Hours of the expected state. They are in the site's zone, which may differ from the reader's, so the last range names
 * the zone.
 */
function formatExpectedHours({ expected_during: ranges = [], timezone }: ExpectationDetails, { now }: Setting): string {
  if (ranges.length === 0) return '';
  const last = Math.min(ranges.length, SHOWN_RANGES) - 1;
  const zone = timezone === undefined ? '' : ` ${findZoneName(now, timezone)}`;
  const shownRanges = ranges.map((range, index) => `${range.replaceAll('-', '–')}${index === last ? zone : ''}`);
  return ` (${formatList(shownRanges, SHOWN_RANGES)})`;
}

function explainDeviation(from: boolean | null, details: ExpectationDetails): string {
  const isNight = NIGHT.test(formatThing(details));
  if (isNight) {
    return from === true
      ? 'Callers may hear the night service.'
      : 'Callers may reach nobody: the night service is off.';
  }
  return 'Calls may not go where they should at this hour.';
}

function explainHowToSwitch(to: boolean | null, { ids = [] }: ExpectationDetails, account: string): string[] {
  const [id, ...more] = ids;
  if (id === undefined || to === null || more.length > 0) return [];
  return [
    `To switch it ${formatToggle(to)}: linewatch account action-toggles update ${toOneLine(id)} --status ${String(to)}${account}`,
  ];
}

/** Combines toggles with the same change in one sweep. */
export function combineToggles(transitions: readonly Transition[]): Omit<Combined, 'complete'> | null {
  const states = transitions.filter((each) => each.kind === 'toggle.state');
  if (states.length === transitions.length) {
    const thing = formatList(states.map(quoteName), 3);
    const ways = new Set(states.map(({ to }) => to));
    const [way = null] = ways;
    const headline =
      ways.size === 1
        ? `Switched ${formatToggle(way)}: ${thing}`
        : `Switched: ${formatList(
            states.map((each) => `${quoteName(each)} ${formatToggle(each.to)}`),
            3,
          )}`;
    return { headline, thing };
  }
  const [first] = transitions;
  const verb = first === undefined ? undefined : MANY[first.kind];
  if (verb === undefined || transitions.some(({ kind }) => kind !== first?.kind)) return null;
  const thing = formatList(transitions.map(quoteName), 3);
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

function quoteName({ details, subject }: Transition): string {
  return `“${cleanName('name' in details && details.name !== null ? details.name : subject)}”`;
}
