/**
 * What a page of each type shows of a world, as whoever reads it has to believe it: written down a second time, from what
 * is known of the vendors, so that a mapping that errs is found out.
 */
import { DAY } from '../../src/core/text/duration.ts';
import type { PageLimits } from '../../src/pages/vendor-page.ts';
import type { VendorTypeName } from '../../src/pages/types.ts';
import { isOver, type VendorNotice, type VendorWorld } from '../../src/simulator/vendors/vendor-world.ts';

export interface TrueNotice {
  id: string;
  state: string | null;
  subject: string;
  /** Null where the type does not show them. */
  hits: string[] | null;
  texts: string[] | null;
}

export interface Truth {
  /** What whoever looks has to know as open. */
  open: Map<string, TrueNotice>;
  /** What is over, as far as that is still to be seen, and how it ended. */
  over: Map<string, string>;
  /** What those that are over say: seen first when over, they are told as over or not at all. */
  pastTexts: string[];
  /** Open, and in no list of what is open: known only where notices are kept. */
  hidden: Set<string>;
  /** What was created later and is gone was deleted: where the past is kept, it would be there. Infinity where nothing is kept. */
  keptSince: number;
  /** As far as it has a word of its own. */
  pageIsWell: boolean;
  /** State by id; null where the type shows none. */
  components: Map<string, string> | null;
}

interface Words {
  /** State of an incident that is open, of work that is not over, at a time; null where it is news, without a state. */
  incident(notice: VendorNotice): string | null;
  work(notice: VendorNotice, now: number): string | null;
  /** For how long notices without a state are news; 0 where none are shown. */
  newsForMs: number;
  /** The page has a word of its own on how it is as a whole. */
  page?: true;
  /** What is open and what is over stand in one list. */
  keepsAll?: true;
  /** Ends that are none to this type: the notice is deleted. */
  deletes?: readonly string[];
  /** As the type names whom a notice hits. */
  hit?(component: { id: string; name: string }): string;
  alsoHits?: readonly string[];
  id?(notice: VendorNotice): string;
}

const own = ({ state }: VendorNotice): string => state;
const known = ({ state }: VendorNotice): string =>
  ['identified', 'recovering'].includes(state) ? state : 'investigating';
const recovers = ({ state }: VendorNotice): string => (state === 'recovering' ? state : 'investigating');
const begun = ({ state }: VendorNotice): string => (state === 'underway' ? state : 'scheduled');
const byTheClock = ({ beginsAt }: VendorNotice, now: number): string =>
  beginsAt !== null && beginsAt > now ? 'scheduled' : 'underway';

/** Where the state stands in the text only, the last one that is a state. */
function spoken({ state, updates }: VendorNotice): string | null {
  const said = [...updates.slice(0, -1).map((update) => update.state), state];
  return said.findLast((each) => each !== null && each !== 'mystified' && each !== 'news') ?? null;
}

const WORDS: Readonly<Record<VendorTypeName, Words>> = {
  statuspage: { page: true, newsForMs: 0, incident: own, work: own, deletes: ['false_alarm', 'cancelled'] },
  instatus: { page: true, newsForMs: 0, incident: own, work: own },
  betterstack: { page: true, newsForMs: 0, incident: recovers, work: byTheClock },
  statusio: { page: true, newsForMs: 0, incident: known, work: begun },
  statuscast: { page: true, incident: own, work: byTheClock, newsForMs: Infinity },
  slack: { newsForMs: 0, incident: () => 'investigating', work: begun, hit: ({ name }) => name },
  'google-cloud': { newsForMs: 0, keepsAll: true, incident: recovers, work: begun, hit: ({ id }) => `us-east1/${id}` },
  aws: {
    newsForMs: 0,
    incident: () => 'investigating',
    work: begun,
    hit: ({ id }) => `us-east-1/${id}`,
    alsoHits: ['us-east-1/ec2-us-east-1'],
    id: ({ id }) => `arn:aws:health:us-east-1::event/${id}`,
  },
  feed: {
    incident: spoken,
    work: spoken,
    newsForMs: DAY,
    id: ({ id }) => `https://status.example.com/incidents/${id}`,
  },
};

export function truthOf(type: VendorTypeName, limits: PageLimits, world: VendorWorld, now: number): Truth {
  const words = WORDS[type];
  const idOf = words.id ?? (({ id }: VendorNotice): string => id);
  const shown = world.notices.filter(
    ({ kind, state }) =>
      (kind === 'incident' || (kind === 'work' ? limits.maintenance : words.newsForMs > 0)) &&
      words.deletes?.includes(state) !== true,
  );
  const isKept = ({ kind, listed }: VendorNotice): boolean =>
    limits.ends === 'kept' ? kind !== 'news' : limits.ends === 'told' && listed;
  const isOld = (notice: VendorNotice): boolean =>
    stateOf(notice, words, now) === null &&
    now - (notice.updates.at(-1)?.createdAt ?? notice.updatedAt) > words.newsForMs;
  const endsIt = (notice: VendorNotice): boolean =>
    isOver(notice) || isOver({ state: stateOf(notice, words, now) ?? 'news' });
  const stillOpen = shown.filter((notice) => !endsIt(notice) && !isOld(notice));
  return {
    open: new Map(
      stillOpen
        .filter(({ listed }) => listed)
        .map((notice) => [idOf(notice), trueNotice(notice, idOf(notice), { words, limits, now })]),
    ),
    over: new Map(
      shown
        .filter((each) => (endsIt(each) || isOld(each)) && isKept(each))
        .map((each) => [idOf(each), each.state] as const),
    ),
    pastTexts: shown
      .filter((each) => endsIt(each) || isOld(each))
      .flatMap(({ updates }) => updates.map(({ content }) => content)),
    hidden: new Set(stillOpen.filter((each) => !each.listed && isKept(each)).map(idOf)),
    keptSince: keptSince(type, shown, words.keepsAll === true || limits.ends === 'kept'),
    pageIsWell: words.page !== true || world.state === 'operational',
    components: limits.components
      ? new Map(
          world.components.map(({ id, state }) => [
            id,
            state === 'operational' || state === 'under_maintenance' ? state : 'degraded',
          ]),
        )
      : null,
  };
}

/** The lists of what is over hold all there ever were, at a Statuspage as long as they are not full. */
function keptSince(type: VendorTypeName, shown: readonly VendorNotice[], isKept: boolean): number {
  if (!isKept) return Infinity;
  if (type === 'statuspage') return -Infinity;
  const there = shown.filter(({ listed }) => listed || type === 'slack');
  return there.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt), Infinity);
}

function stateOf(notice: VendorNotice, words: Words, now: number): string | null {
  if (notice.kind === 'news') return null;
  return notice.kind === 'work' ? words.work(notice, now) : words.incident(notice);
}

function trueNotice(
  notice: VendorNotice,
  id: string,
  { words, limits, now }: { words: Words; limits: PageLimits; now: number },
): TrueNotice {
  const { subject, hits, updates } = notice;
  const hit = words.hit ?? ((component: { id: string }): string => component.id);
  return {
    id,
    state: stateOf(notice, words, now),
    subject,
    hits: limits.hits ? [...hits.map(hit), ...(words.alsoHits ?? [])].toSorted() : null,
    texts: limits.texts ? updates.map(({ content }) => content) : null,
  };
}
