/** Limits: request rates, sizes of responses, and the number of remembered records. */
import { DAY, MINUTE } from '../text/duration.ts';

const KB = 1024;
const MB = 1024 * KB;

/** Request rates. */
export const PACE = {
  /** Status interface: specification, section 8. */
  statusRequestsPerSecond: 5,
  /** Rows per page of the status interface: specification, section 8. */
  statusRowsPerPage: 25,
  /** The extension list changes rarely and has no pages. A missing phone triggers an immediate read. */
  extensionsEveryMs: 10 * MINUTE,
} as const;

/**
 * Limits of input, checked before it is parsed, spread, joined, matched or kept. Excess is refused or dropped, and its
 * listing is marked incomplete.
 */
export const LIMITS = {
  /** Bytes of a response after decompression. Account lists have no pages: 10,000 extensions are 9 MB. */
  answerBytes: 10 * MB,
  /** Bytes of a response of a status page: the largest known is 300 kB, and five may be in flight. */
  statusAnswerBytes: 2 * MB,
  /** Bytes of a whole listing: 400 pages of 25 kB. */
  listingBytes: 10 * MB,
  /** Bytes of an error response: `{message, errors}` is some 100 bytes, a framework's stack trace 50 kB. */
  errorBytes: 64 * KB,
  /** Bytes read of a response whose body is not used, such as a heartbeat's. */
  courtesyBytes: 16 * KB,
  /** Objects and lists per body. Each costs far more memory than its two bytes; 10 MB of charges have 30,000. */
  containers: 100_000,
  /** Values per body: 30,000 charges have 17 fields each. */
  values: 600_000,
  /** Nesting depth: documented responses have 5 levels, and printing or comparing recurses. */
  depth: 100,
  /** Pages per listing: twenty times the largest known status page at 25 rows each. */
  pages: 400,
  /** Rows of the component list: 400 pages of 25. */
  components: 10_000,
  /** Rows of a notice list within the requested range: ten times the most ever open or announced. */
  notices: 500,
  /** Rows of a listing including unrequested ones: 400 pages of 25. */
  listingRows: 10_000,
  /** A listing without an end is fabricated: only its first rows count as evidence. */
  rowsOfAnEndlessListing: 250,
  /** Notice details per sweep: 40 seconds at the request limit. The rest follow in the next sweep. */
  detailsOfASweep: 200,
  /** Ancestors of a component: real pages have three levels. */
  levels: 10,
  /** Characters of one text of a notice. */
  text: 16_384,
  /** Characters of a notice's history, newest first: 36 updates, the most seen, have 30,000. */
  history: 65_536,
  /** Characters of all affected component ids and names: all 512 of the largest page have 20,000. */
  impact: 65_536,
  /** Characters of a name, headline, address or state. */
  name: 500,
  subject: 1000,
  address: 2048,
  state: 64,
  /** Characters searched for an id, number or time. */
  token: 64,
  /** Phones and extensions per account: ten times the largest known. */
  extensions: 10_000,
  /** Registrations per extension: some have five, and at most 32 networks are remembered. */
  contacts: 64,
  /**
   * New devices or networks reported per sweep: a firmware rollout over the largest account restarts fewer per minute.
   * The rest follow in later sweeps.
   */
  newsOfALook: 250,
  /** Action toggles per account. */
  toggles: 2_000,
} as const;

/**
 * Limits of remembered records, by count as well as age: a provider that invents ids must not grow the state without
 * bound. Closed records are evicted, oldest first. Open ones are kept: beyond these limits new ones are ignored, and
 * that is reported.
 */
export const REMEMBERED = {
  /** Retention of closed notices: one that is reopened continues its alert. */
  overForMs: 30 * DAY,
  /** Fifty times the most ever open or announced at once. */
  openNotices: 500,
  /** A year of the busiest known page has 400. */
  closedNotices: 500,
  /** Characters of the histories of all closed notices: the longest known has 30,000. */
  closedTexts: 4_000_000,
  resolvedAlerts: 500,
  components: LIMITS.components,
  phones: LIMITS.extensions,
  toggles: LIMITS.toggles,
} as const;

/** Collections with a limit. */
export type Crowd = 'notices' | 'components' | 'phones' | 'toggles';

const CROWDS: Readonly<Record<Crowd, { most: number; text: string }>> = {
  notices: { most: REMEMBERED.openNotices, text: `notices: more than ${REMEMBERED.openNotices} are open` },
  components: { most: REMEMBERED.components, text: `components: more than ${REMEMBERED.components} are known` },
  phones: { most: REMEMBERED.phones, text: `registrations: more than ${REMEMBERED.phones} phones are known` },
  toggles: { most: REMEMBERED.toggles, text: `toggles: more than ${REMEMBERED.toggles} are known` },
};

/**
 * Returns the crowds reported so far and the sentence for a new one. It is reported again only after there has been
 * room for a while.
 */
export function describeCrowd(
  reported: readonly Crowd[],
  crowd: Crowd,
  { count, turnedAway }: { count: number; turnedAway: boolean },
): { reported: readonly Crowd[]; texts: string[] } {
  const { most, text } = CROWDS[crowd];
  if (turnedAway && !reported.includes(crowd)) {
    return { reported: [...reported, crowd], texts: [`${text}; what comes new is not followed until there are fewer`] };
  }
  const isOver = reported.includes(crowd) && count < most / 2;
  return { reported: isOver ? reported.filter((each) => each !== crowd) : reported, texts: [] };
}
