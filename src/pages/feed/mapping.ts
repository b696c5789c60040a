/**
 * Maps RSS and Atom. The state is in the text, if anywhere; entries without one are news for a day. A feed has one
 * entry per incident with a paragraph per update, or one entry per update.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import { findEarliest } from '../../core/transition/collections.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  readContent,
  toHistory,
  findEnd,
  readId,
  translateState,
  toListing,
  createNotice,
  toPlace,
  toTime,
  NO_COMPONENTS,
} from '../reading.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';
import { isIncidentEnd, groupByIncident, type FeedItem } from './incidents.ts';
import { findLabel, readTitle, STATES } from './labels.ts';
import { parseParagraphs } from './paragraphs.ts';

/**
 * Microsoft 365 has a single item with a status element and the time of the request (captures of
 * status.cloud.microsoft/api/feed/mac). While all is operational the item is no notice.
 */
const ALL_CLEAR: readonly string[] = ['available', 'operational'];
const OWN_WORDS: readonly string[] = [...ALL_CLEAR, 'service degradation', 'service restored'];

/** RSS 2.0, RSS 1.0 or Atom, parsed. */
export function mapFeed(value: unknown, origin: InterfaceOrigin): Shown {
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
    components: NO_COMPONENTS,
    notices: toListing('notices', [...notices, ...unusable]),
  };
}

/** A single element is parsed as a value, not a list. */
function listOf(value: unknown): Raw[] {
  const all: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return all.filter(isObject);
}

/** Text of an element and its descendants. */
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

/** The item's `<status>`; null if absent or undocumented. */
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
  // The newest update comes first in an entry.
  const word = own ?? titleWord ?? findLabel(text.slice(0, LIMITS.history))?.word ?? null;
  const paragraphs = parseParagraphs(text, at, paragraph);
  return { id, subject, titleWord, link, content: readContent(text), at, publishedAt, word, paragraphs };
}

function firstTime(values: readonly unknown[]): number | null {
  return values.map((each) => toTime(textOf(each).trim())).find((time) => time !== null) ?? null;
}

/** Unknown words stay in the text. */
function paragraph(html: string): Pick<Update, 'state' | 'content'> {
  const label = findLabel(html);
  const isLabelled = label?.isFirst === true;
  return {
    state: isLabelled ? (STATES[label.word]?.state ?? null) : null,
    content: readContent(withoutFrame(isLabelled ? html.slice(label.to) : html)),
  };
}

/** Trims blanks and paragraph tags at both ends. */
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

/** Creation time of the feed, to detect stale caches. The time of its newest entry does not count. */
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
    namesNoComponents: true as const,
    updates,
  };
  const known = word === null ? undefined : STATES[word];
  // News expire with time.
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
    endedAt: isOver ? (findEnd(updates, [state]) ?? updatedAt) : null,
  });
}

/** Planned work starts with the first update in the state `underway`. */
function begun(entry: FeedItem | undefined, updates: readonly Update[]): Partial<NoticeDetail> {
  const beganAt = updates.find(({ state }) => state === 'underway')?.createdAt ?? null;
  return { ...entry?.paragraphs?.window, beganAt };
}

/** Drops updates with the text of their predecessor: some feeds repeat the last one at every request. */
function withoutRepeats(updates: readonly Update[]): Update[] {
  return updates.filter(({ state, content }, index) => {
    const before = updates[index - 1];
    return before === undefined || before.state !== state || before.content !== content;
  });
}

/**
 * An entry is an update, identified by its time of publication. If it is the only one, it is rewritten for each update.
 */
function updatesOf({ content, at, publishedAt, word, paragraphs }: FeedItem, isAlone: boolean): Update[] {
  if (paragraphs !== null) return paragraphs.updates;
  const state = word === null ? null : (STATES[word]?.state ?? null);
  return [{ state, content, createdAt: isAlone ? at : publishedAt, updatedAt: at }];
}
