/** Every kind of night: one function each, by its name. */
import { ABSENCE_KINDS } from './kinds-absence.ts';
import { dice } from './dice.ts';
import { FIRM_KINDS } from './kinds-firm.ts';
import { HARD_KINDS } from './kinds-hard.ts';
import { PROVIDER_KINDS } from './kinds-provider.ts';
import { QUIET_KINDS } from './kinds-quiet.ts';
import { PLACE_KINDS } from './kinds-place.ts';
import { night, type Kind, type Night } from './night.ts';

export const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...Object.entries(PLACE_KINDS),
  ...Object.entries(PROVIDER_KINDS),
  ...Object.entries(FIRM_KINDS),
  ...Object.entries(QUIET_KINDS),
  ...Object.entries(HARD_KINDS),
  ...Object.entries(ABSENCE_KINDS),
]);

/** Every kind comes as often as every other, in chance order, each time as another night. */
export function* nights(count: number, seed: number, only = ''): Generator<Night> {
  const kinds = [...KINDS].filter(([name]) => name.startsWith(only));
  if (kinds.length === 0) throw new Error(`there is no kind of night that begins with ${only}`);
  const chance = dice(seed);
  let round: typeof kinds = [];
  for (let index = 0; index < count; index += 1) {
    if (round.length === 0) round = chance.sample(kinds, kinds.length);
    const [name, tell] = round.pop() ?? [];
    if (name !== undefined && tell !== undefined) yield night(name, seed + index, tell);
  }
}
