/** What a transition tells of phones that move, or come and go, together. */
import type { PhonesDetails, Timestamp } from './details.ts';

/** Phones of a site that register from another address; the site is the domain. */
export interface MovedDetails extends PhonesDetails {
  /** How many of them do, of so many at the site. */
  moved: number;
  of: number;
  /** It is the address that the site had first. */
  home?: true;
  /** None of them was ever in that network. */
  new?: true;
}

/** Phones that come and go together. */
export interface FlappingDetails extends PhonesDetails {
  /** When the first of these losses began. */
  first_lost: Timestamp | null;
}
