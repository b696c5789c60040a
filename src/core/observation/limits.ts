/**
 * How fast a provider is asked, how much is taken of what it sends, and how much of it is remembered.
 */
import { DAY, MINUTE } from '../text/duration.ts';

const KB = 1024;
const MB = 1024 * KB;

/** How fast the provider is asked. */
export const PACE = {
  /** Requests a second to its status interface: specification, section 8. */
  statusRequestsPerSecond: 5,
  /** Rows on a page of a list of the status interface: specification, section 8. */
  statusRowsPerPage: 25,
  /** The list of an account's extensions changes seldom and has no pages. When a phone is missing it is read at once. */
  extensionsEveryMs: 10 * MINUTE,
} as const;

/**
 * Of what is sent: counted before it is parsed, spread, joined, matched or kept. What is beyond is refused or left out,
 * and the listing it came in is incomplete.
 */
export const LIMITS = {
  /** Bytes of one answer, unpacked: an account's lists have no pages, and 10,000 extensions are 9 MB. */
  answerBytes: 10 * MB,
  /** Of one answer of a status page, which has pages: the largest known is 300 kB, and five may be under way at once. */
  statusAnswerBytes: 2 * MB,
  /** Of all pages of one listing: 400 pages of 25 kB. */
  listingBytes: 10 * MB,
  /** Of an answer that is no success: `{message, errors}` is some 100 bytes, a trace of the framework 50 kB. */
  errorBytes: 64 * KB,
  /** Of what is read of an answer that nobody needs, such as a heartbeat's. */
  courtesyBytes: 16 * KB,
  /** Objects and lists in one body: each costs far more memory than its two bytes; 10 MB of charges hold 30,000. */
  containers: 100_000,
  /** Values in one body: 30,000 charges have 17 fields each. */
  values: 600_000,
  /** How deep a body nests: the documented answers go 5 deep, and whoever prints or compares one recurses into it. */
  depth: 100,
  /** Pages of one listing: twenty times the largest status page known, at 25 rows a page. */
  pages: 400,
  /** Rows of the list of components: 400 pages of 25 rows. */
  components: 10_000,
  /** Rows of one list of notices that stand where it was asked for: ten times the most that was ever open or announced at once. */
  notices: 500,
  /** All rows of one listing, also those that were not asked for: 400 pages of 25 rows. */
  listingRows: 10_000,
  /** What a listing without an end goes on with is made up: only so many of its first rows are taken for evidence. */
  rowsOfAnEndlessListing: 250,
  /** Details of notices asked for in one sweep: 40 seconds at the request limit; the others are asked in the next. */
  detailsOfASweep: 200,
  /** Components above a component: real pages have three levels. */
  levels: 10,
  /** Characters of one text of a notice. */
  text: 16_384,
  /** Characters of a notice's whole history, the newest first: 36 updates, the most seen, are 30,000. */
  history: 65_536,
  /** Characters of the ids and names of the components a notice lists: all 512 of the largest page are 20,000. */
  impact: 65_536,
  /** Characters of a name; of a headline; of an address; of a state. */
  name: 500,
  subject: 1000,
  address: 2048,
  state: 64,
  /** Characters in which an id, a number or a time is looked for. */
  token: 64,
  /** Phones and extensions of one account: ten times the largest known. */
  extensions: 10_000,
  /** Contacts of one extension: some have five, and more than 32 networks are remembered of none. */
  contacts: 64,
  /**
   * Phones of one account of which a new device or network is told after one look: a round of firmware over the largest
   * account restarts fewer a minute. The others are told after the next looks.
   */
  newsOfALook: 250,
  /** Action toggles of one account. */
  toggles: 2_000,
} as const;

/**
 * Of what is known, by count and not only by age: a provider that invents ids for ever must not make the state grow for
 * ever. What is over is forgotten, the oldest first. What is open is never dropped: beyond these numbers nothing new is
 * taken up, and that is told.
 */
export const REMEMBERED = {
  /** How long what is over is remembered: a notice that is reopened goes on in the alert it had. */
  overForMs: 30 * DAY,
  /** Fifty times the most that was ever open or announced at once. */
  openNotices: 500,
  /** A year of the busiest page known has 400. */
  closedNotices: 500,
  /** Characters of the histories of all closed notices: 30,000 are the longest known of one. */
  closedTexts: 4_000_000,
  resolvedAlerts: 500,
  components: LIMITS.components,
  phones: LIMITS.extensions,
  toggles: LIMITS.toggles,
} as const;

/** What may be so many that more of it is not followed. */
export type Crowd = 'notices' | 'components' | 'phones' | 'toggles';

const CROWDS: Readonly<Record<Crowd, { most: number; text: string }>> = {
  notices: { most: REMEMBERED.openNotices, text: `notices: more than ${REMEMBERED.openNotices} are open` },
  components: { most: REMEMBERED.components, text: `components: more than ${REMEMBERED.components} are known` },
  phones: { most: REMEMBERED.phones, text: `registrations: more than ${REMEMBERED.phones} phones are known` },
  toggles: { most: REMEMBERED.toggles, text: `toggles: more than ${REMEMBERED.toggles} are known` },
};

/**
 * Which crowds have been told, after a step that turned something away or not, and the sentence for one that is told
 * now. It is told again only after there has been room for a while.
 */
export function describeCrowd(
  told: readonly Crowd[],
  crowd: Crowd,
  { count, turnedAway }: { count: number; turnedAway: boolean },
): { told: readonly Crowd[]; texts: string[] } {
  const { most, text } = CROWDS[crowd];
  if (turnedAway && !told.includes(crowd)) {
    return { told: [...told, crowd], texts: [`${text}; what comes new is not followed until there are fewer`] };
  }
  const isOver = told.includes(crowd) && count < most / 2;
  return { told: isOver ? told.filter((each) => each !== crowd) : told, texts: [] };
}
