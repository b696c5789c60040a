/** Payloads of phones that move or flap together. */
import type { PhonesDetails, Timestamp } from './details.ts';

/** Phones of a site that register from another address; the domain is the site. */
export interface MovedDetails extends PhonesDetails {
  /** Phones that moved, and all phones of the site. */
  moved: number;
  of: number;
  /** Back at the first address of the site. */
  home?: true;
  /** No phone of the site was ever in that network. */
  new?: true;
}

/** Phones that go offline and return together. */
export interface FlappingDetails extends PhonesDetails {
  /** Start of the first loss. */
  first_lost: Timestamp | null;
}
