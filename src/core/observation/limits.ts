/**
 * How much is taken of what a provider sends. It is counted against these numbers before it is parsed, spread, joined,
 * matched or kept. What is beyond is refused or left out, and the listing it came in is incomplete.
 */
const KB = 1024;
const MB = 1024 * KB;

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
  /** Rows of the list of components: ten times the largest status page known. */
  components: 5_000,
  /** Rows of one list of notices: ten times the most that was ever open or announced at once. */
  notices: 500,
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
