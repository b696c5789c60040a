/**
 * RSS and Atom → what a look brings back. The state stands in the text only, where it stands at all: what names none is
 * news of a day. A feed has one entry for each incident, with a paragraph for each update, or an entry for each update.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import { earliest } from '../../core/transition/long-lists.ts';
import type { Origin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import { contentOf, historyOf, idOf, inOurWords, listingOf, noticeOf, placeOf, timeOf } from '../reading.ts';
import { notOfThisType, type Shown } from '../vendor-page.ts';
import { paragraphsOf, type Paragraphs } from './paragraphs.ts';

/** What is written in place of a state, and whether it speaks of planned work. */
const STATES: Readonly<Record<string, { state: string; planned?: true }>> = {
  investigating: { state: 'investigating' },
  identified: { state: 'identified' },
  monitoring: { state: 'recovering' },
  mitigated: { state: 'recovering' },
  resolved: { state: 'resolved' },
  postmortem: { state: 'resolved' },
  scheduled: { state: 'scheduled', planned: true },
  'in progress': { state: 'underway', planned: true },
  verifying: { state: 'underway', planned: true },
  completed: { state: 'complete', planned: true },
  // Of Microsoft 365.
  'service degradation': { state: 'investigating' },
  'service restored': { state: 'resolved' },
};
/**
 * Microsoft 365 states in an element of its own how it stands, always in the same one item, whose time is that of the
 * request (captures of status.cloud.microsoft/api/feed/mac). While all is well that item is no notice.
 */
const ALL_CLEAR: readonly string[] = ['available', 'operational'];
const OWN_WORDS: readonly string[] = [...ALL_CLEAR, 'service degradation', 'service restored'];
const WORD = Object.keys(STATES).join('|');
/** The newest comes first in an entry: `<strong>Resolved</strong> - …`, `Status: Resolved`. */
const IN_TEXT = new RegExp(`<(?:strong|b)>\\s*(?:status:\\s*)?(${WORD})\\s*</|\\bstatus:\\s*(${WORD})\\b`, 'i');
/** `[Resolved] …`, `Resolved: …`, `Resolved - …` */
const IN_TITLE = new RegExp(`^\\s*(?:\\[\\s*(${WORD})\\s*\\]|(${WORD})\\s*[:\\-–—])\\s*`, 'i');

/** The state of a paragraph, and what it says. */
const PARAGRAPH = /^\s*(?:<br ?\/?>)?\s*<(?:strong|b)>([^<]{1,80})<\/(?:strong|b)>\s*[-–—]\s*([^]*)$/i;
const AROUND = /^(\s|<\/?p>)+|(\s|<\/?p>)+$/gi;

interface FeedItem {
  id: string;
  title: string;
  link: string | null;
  content: string;
  /** When it was last written, and when first. */
  at: number | null;
  publishedAt: number | null;
  word: string | null;
  /** Where its text has the times of its updates. */
  paragraphs: Paragraphs | null;
}

/** RSS 2.0, RSS 1.0 or Atom, parsed. */
export function feed(value: unknown, origin: Origin): Shown {
  const root = isObject(value) ? value : {};
  const rdf = isObject(root['RDF']) ? root['RDF'] : null;
  const rss = isObject(root['rss']) ? root['rss'] : rdf;
  const channel = isObject(root['feed']) ? root['feed'] : isObject(rss?.['channel']) ? rss['channel'] : null;
  if (channel === null) throw notOfThisType(origin, 'is no feed');
  const items = listOf(rdf === null ? (channel['entry'] ?? channel['item']) : rdf['item']);
  const rows = items.filter((raw) => !ALL_CLEAR.includes(ownWord(raw) ?? ''));
  const entries = rows.map(entry);
  const name = readLine(textOf(channel['title']), LIMITS.name) ?? origin.base.host;
  const usable = entries.filter((each) => each !== null);
  const place = linkOf(channel['link']);
  const groups = Map.groupBy(usable, keyOf(usable, place));
  const notices = [...groups].map(([key, some]) => notice(key, some));
  const unusable = entries.filter((each) => each === null);
  return {
    document: { ...placeOf(place), name, updatedAt: writtenAt(channel, usable) },
    page: { kind: 'missed', code: 'not_shown', why: 'a feed says nothing of the page as a whole' },
    components: { kind: 'observed', items: [], defects: [], missing: null },
    notices: listingOf('notices', [...notices, ...unusable]),
  };
}

/** One element alone is no list. */
function listOf(value: unknown): Raw[] {
  const all: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return all.filter(isObject);
}

/** The text of an element, with that of whatever stands in it. */
function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && depth < LIMITS.depth) {
    return (value as unknown[]).map((each) => textOf(each, depth + 1)).join(' ');
  }
  if (!isObject(value) || depth >= LIMITS.depth) return '';
  const inside = Object.entries(value).filter(([key]) => !key.startsWith('@'));
  return inside.map(([, each]) => textOf(each, depth + 1)).join(' ');
}

function linkOf(value: unknown): string | null {
  for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const url = isObject(each) && '@href' in each ? readUrl(each['@href']) : readUrl(textOf(each).trim());
    if (url !== null) return url;
  }
  return null;
}

/** The item's own `<status>`; null for one that has none, or one that nobody documented. */
function ownWord(raw: Raw): string | null {
  const own = 'status' in raw ? textOf(raw['status']).trim().toLowerCase() : '';
  return OWN_WORDS.includes(own) ? own : null;
}

function entry(raw: Raw): FeedItem | null {
  // The vendor's own line, in which alone the state stands.
  const line = readLine(textOf(raw['title']), LIMITS.subject) ?? '';
  const link = linkOf(raw['link']);
  const id = idOf(textOf(raw['guid'] ?? raw['id']).trim()) ?? idOf(link);
  if (id === null) return null;
  const text = textOf(raw['encoded'] ?? raw['content'] ?? raw['description'] ?? raw['summary']);
  const content = contentOf(text);
  const own = ownWord(raw);
  const timed = own === null ? raw : {};
  const at = firstTime([timed['updated'], timed['pubDate'], timed['published'], timed['date']]);
  const publishedAt = firstTime([timed['published'], timed['pubDate'], timed['date'], timed['updated']]);
  const found = IN_TITLE.exec(line) ?? IN_TEXT.exec(content);
  const word = own ?? (found?.[1] ?? found?.[2] ?? null)?.toLowerCase() ?? null;
  const paragraphs = paragraphsOf(text, at, paragraph);
  return { id, title: line, link, content, at, publishedAt, word, paragraphs };
}

function firstTime(values: readonly unknown[]): number | null {
  return values.map((each) => timeOf(textOf(each).trim())).find((time) => time !== null) ?? null;
}

/** Its state is said by itself; a word that is none of ours stays where it stands. */
function paragraph(html: string): Pick<Update, 'state' | 'content'> {
  const [, own = '', rest = ''] = PARAGRAPH.exec(html) ?? [];
  const known = STATES[own.trim().toLowerCase()];
  return {
    state: known?.state ?? null,
    content: contentOf((known === undefined ? html : rest).replaceAll(AROUND, '')),
  };
}

/** When the feed was made: a cache may answer with an older one. The time of its newest entry is none of its own. */
function writtenAt(channel: Raw, entries: readonly FeedItem[]): number | null {
  const at = firstTime([channel['updated'], channel['lastBuildDate'], channel['pubDate']]);
  const newest = entries.reduce((latest, each) => Math.max(latest, each.at ?? 0), 0);
  return at !== null && at >= newest + SECOND ? at : null;
}

/**
 * Entries of one incident have its address, where not all have that of the feed; else its title without the state
 * before it.
 */
function keyOf(entries: readonly FeedItem[], place: string | null): (entry: FeedItem) => string {
  const links = new Set(entries.map(({ link }) => link));
  const tellsApart = links.size > 1 || (entries.length === 1 && !links.has(place));
  return ({ id, link, title }) => {
    const ofLink = tellsApart ? idOf(link?.replace(/[?#].*$/, '')) : null;
    return ofLink ?? idOf(title.replace(IN_TITLE, '').toLowerCase()) ?? id;
  };
}

function notice(id: string, entries: readonly FeedItem[]): NoticeDetail {
  const inOrder = entries.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const latest = inOrder.at(-1);
  const word = inOrder.findLast((each) => each.word !== null)?.word ?? null;
  const updates = historyOf(inOrder.flatMap((each) => updatesOf(each, inOrder.length === 1)));
  const createdAt = earliest([inOrder[0]?.publishedAt, updates[0]?.createdAt]);
  const updatedAt = latest?.at ?? null;
  const subject = (latest?.title ?? '').replace(IN_TITLE, '');
  const shared = {
    id,
    subject: subject === '' ? `Notice ${id}` : subject,
    url: latest?.link ?? null,
    createdAt,
    updatedAt,
    namesNobody: true as const,
    updates,
  };
  const known = word === null ? undefined : STATES[word];
  // The clock says how long news stay news.
  if (word === null || known === undefined) {
    return noticeOf({ ...shared, type: 'general', timeline: null, state: null });
  }
  const { state, planned = false } = known;
  const isOver = state === 'resolved' || state === 'complete';
  return noticeOf({
    ...shared,
    type: planned ? 'planned' : 'unplanned',
    timeline: isOver ? 'past_recent' : state === 'scheduled' ? 'future' : 'present',
    ...inOurWords(word.replaceAll(' ', '_'), state),
    ...(planned ? begun(latest, updates) : { beganAt: createdAt }),
    endedAt: isOver ? (updates.find((update) => update.state === state)?.createdAt ?? updatedAt) : null,
  });
}

/** Planned work begins with its first update that says so. */
function begun(entry: FeedItem | undefined, updates: readonly Update[]): Partial<NoticeDetail> {
  const beganAt = updates.find(({ state }) => state === 'underway')?.createdAt ?? null;
  return { ...entry?.paragraphs?.window, beganAt };
}

/** An entry is one update, known by when it was published; where it is all there is, it is written anew for each. */
function updatesOf({ content, at, publishedAt, word, paragraphs }: FeedItem, isAlone: boolean): Update[] {
  if (paragraphs !== null) return paragraphs.updates;
  const state = word === null ? null : (STATES[word]?.state ?? null);
  return [{ state, content, createdAt: isAlone ? at : publishedAt, updatedAt: at }];
}
