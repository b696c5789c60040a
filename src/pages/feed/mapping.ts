/**
 * RSS and Atom → what a look brings back. The state stands in the text only, where it stands at all: what names none is
 * news of a day. A feed has one entry for each incident, with a paragraph for each update, or an entry for each update.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import { findEarliest } from '../../core/transition/collections.ts';
import type { Origin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  readContent,
  toHistory,
  readId,
  translateState,
  toListing,
  createNotice,
  toPlace,
  toTime,
} from '../reading.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';
import { isIncidentEnd, groupByIncident, type FeedItem } from './incidents.ts';
import { findLabel, readTitle, STATES } from './labels.ts';
import { parseParagraphs } from './paragraphs.ts';

/**
 * Microsoft 365 states in an element of its own how it stands, always in the same one item, whose time is that of the
 * request (captures of status.cloud.microsoft/api/feed/mac). While all is well that item is no notice.
 */
const ALL_CLEAR: readonly string[] = ['available', 'operational'];
const OWN_WORDS: readonly string[] = [...ALL_CLEAR, 'service degradation', 'service restored'];

/** RSS 2.0, RSS 1.0 or Atom, parsed. */
export function mapFeed(value: unknown, origin: Origin): Shown {
  const root = isObject(value) ? value : {};
  const rdf = isObject(root['RDF']) ? root['RDF'] : null;
  const rss = isObject(root['rss']) ? root['rss'] : rdf;
  const channel = isObject(root['feed']) ? root['feed'] : isObject(rss?.['channel']) ? rss['channel'] : null;
  if (channel === null) throw refuseOtherDocument(origin, 'is no feed');
  const items = listOf(rdf === null ? (channel['entry'] ?? channel['item']) : rdf['item']);
  const rows = items.filter((raw) => !ALL_CLEAR.includes(ownWord(raw) ?? ''));
  const entries = rows.map(entry);
  const name = readLine(textOf(channel['title']), LIMITS.name) ?? origin.base.host;
  const usable = entries.filter((each) => each !== null);
  const place = linkOf(channel['link']);
  const notices = [...groupByIncident(usable, place)].map(([id, some]) => notice(id, some));
  const unusable = entries.filter((each) => each === null);
  return {
    document: { ...toPlace(place), name, updatedAt: writtenAt(channel, usable) },
    page: { kind: 'missed', code: 'not_shown', why: 'a feed says nothing of the page as a whole' },
    components: { kind: 'observed', items: [], defects: [], missing: null },
    notices: toListing('notices', [...notices, ...unusable]),
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
  const line = readLine(textOf(raw['title']), LIMITS.subject) ?? '';
  const { subject, word: titleWord } = readTitle(line);
  const link = linkOf(raw['link']);
  const id = readId(textOf(raw['guid'] ?? raw['id']).trim()) ?? readId(link);
  if (id === null) return null;
  const text = textOf(raw['encoded'] ?? raw['content'] ?? raw['description'] ?? raw['summary']);
  const own = ownWord(raw);
  const timed = own === null ? raw : {};
  const at = firstTime([timed['updated'], timed['pubDate'], timed['published'], timed['date']]);
  const publishedAt = firstTime([timed['published'], timed['pubDate'], timed['date'], timed['updated']]);
  // The newest update stands first in an entry.
  const word = own ?? titleWord ?? findLabel(text.slice(0, LIMITS.history))?.word ?? null;
  const paragraphs = parseParagraphs(text, at, paragraph);
  return { id, subject, titleWord, link, content: readContent(text), at, publishedAt, word, paragraphs };
}

function firstTime(values: readonly unknown[]): number | null {
  return values.map((each) => toTime(textOf(each).trim())).find((time) => time !== null) ?? null;
}

/** A word that is no state of ours stays in the text. */
function paragraph(html: string): Pick<Update, 'state' | 'content'> {
  const label = findLabel(html);
  const isLabelled = label?.isFirst === true;
  return {
    state: isLabelled ? (STATES[label.word]?.state ?? null) : null,
    content: readContent(withoutFrame(isLabelled ? html.slice(label.to) : html)),
  };
}

/** Without blanks and the tags of paragraphs at both ends. */
function withoutFrame(html: string): string {
  const isFrame = (text: string): boolean => /^<\/?p>$/i.test(text);
  let [from, to] = [0, html.length];
  const edge = (length: number, isEnd: boolean): string =>
    isEnd ? html.slice(Math.max(from, to - length), to) : html.slice(from, Math.min(to, from + length));
  const step = (isEnd: boolean): number =>
    [1, 3, 4].find((length) => (length === 1 ? edge(1, isEnd).trim() === '' : isFrame(edge(length, isEnd)))) ?? 0;
  for (let length = step(false); length > 0 && from < to; length = step(false)) from += length;
  for (let length = step(true); length > 0 && from < to; length = step(true)) to -= length;
  return html.slice(from, to);
}

/** When the feed was made: a cache may answer with an older one. The time of its newest entry is none of its own. */
function writtenAt(channel: Raw, entries: readonly FeedItem[]): number | null {
  const at = firstTime([channel['updated'], channel['lastBuildDate'], channel['pubDate']]);
  const newest = entries.reduce((latest, each) => Math.max(latest, each.at ?? 0), 0);
  return at !== null && at >= newest + SECOND ? at : null;
}

/** `entries`: oldest first. */
function notice(id: string, entries: readonly FeedItem[]): NoticeDetail {
  const latest = entries.at(-1);
  const word = entries.findLast((each) => each.word !== null)?.word ?? null;
  const updates = withoutRepeats(toHistory(entries.flatMap((each) => updatesOf(each, entries.length === 1))));
  const createdAt = findEarliest([entries[0]?.publishedAt, updates[0]?.createdAt]);
  const updatedAt = entries.reduce<number | null>(
    (last, { at }) => (at === null ? last : Math.max(last ?? at, at)),
    null,
  );
  const subject = latest?.subject ?? '';
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
    return createNotice({ ...shared, type: 'general', timeline: null, state: null, saysNoState: true });
  }
  const { state, planned = false } = known;
  const isOver = isIncidentEnd(word);
  return createNotice({
    ...shared,
    type: planned ? 'planned' : 'unplanned',
    timeline: isOver ? 'past_recent' : state === 'scheduled' ? 'future' : 'present',
    ...translateState(word.replaceAll(' ', '_'), state),
    ...(planned ? begun(latest, updates) : { beganAt: createdAt }),
    endedAt: isOver ? (updates.find((update) => update.state === state)?.createdAt ?? updatedAt) : null,
  });
}

/** Planned work begins with its first update that says so. */
function begun(entry: FeedItem | undefined, updates: readonly Update[]): Partial<NoticeDetail> {
  const beganAt = updates.find(({ state }) => state === 'underway')?.createdAt ?? null;
  return { ...entry?.paragraphs?.window, beganAt };
}

/** An update in the words of the one before it says nothing new: some feeds repeat the last at every look. */
function withoutRepeats(updates: readonly Update[]): Update[] {
  return updates.filter(({ state, content }, index) => {
    const before = updates[index - 1];
    return before === undefined || before.state !== state || before.content !== content;
  });
}

/** An entry is one update, known by when it was published; where it is all there is, it is written anew for each. */
function updatesOf({ content, at, publishedAt, word, paragraphs }: FeedItem, isAlone: boolean): Update[] {
  if (paragraphs !== null) return paragraphs.updates;
  const state = word === null ? null : (STATES[word]?.state ?? null);
  return [{ state, content, createdAt: isAlone ? at : publishedAt, updatedAt: at }];
}
