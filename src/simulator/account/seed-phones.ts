/** Gives extensions their phones: most a desk phone, some a softphone besides, a few nothing at all. */
import type { Random } from '../random.ts';
import type { Extension } from './extensions.ts';
import type { PhoneBook } from './phones.ts';
import { type Site, deskPhone, softphone } from './random-things.ts';

export interface PhoneShares {
  /** Of all extensions, those without a phone. Default 0.04. */
  without?: number | undefined;
  /** Of the others, those with a second device. Default 0.08. */
  second?: number | undefined;
}

export function seedPhones(
  phones: PhoneBook,
  random: Random,
  extensions: readonly Extension[],
  sites: readonly [Site, ...Site[]],
  shares: PhoneShares = {},
): void {
  for (const extension of extensions) {
    // Drawn for every extension, so that changing a share does not shuffle the rest of the world.
    const [without, second] = [random.chance(shares.without ?? 0.04), random.chance(shares.second ?? 0.08)];
    const site = sites[(extension.customer_location_id - 1) % sites.length] ?? sites[0];
    const device = deskPhone(random);
    const other = softphone(random);
    if (without) continue;
    phones.connect({ extension: extension.user_id, site, device });
    if (second) phones.connect({ extension: extension.user_id, site, device: other });
  }
}
