/**
 * Groups feed entries by incident. A feed has an entry per incident or per update. Entries of updates share the address
 * of their incident, or only its subject.
 */
import { trimEndSlashes } from '../../core/text/plain.ts';
import { END_STATES } from '../../core/page/page-model.ts';
import { readId } from '../reading.ts';
import { STATES } from './labels.ts';
import type { Paragraphs } from './paragraphs.ts';

export interface FeedItem {
  id: string;
  /** The title without its label, and the label. */
  subject: string;
  titleWord: string | null;
  link: string | null;
  content: string;
  /** Times of last and first publication. */
  at: number | null;
  publishedAt: number | null;
  /** State from the title, else from the text. */
  word: string | null;
  /** Null if the text lacks the times of its updates. */
  paragraphs: Paragraphs | null;
}

/**
 * Entries by notice id, oldest first. The id is the address or subject of the oldest entry, which stays when entries
 * are added. `place`: address of the page itself.
 */
export function groupByIncident(entries: readonly FeedItem[], place: string | null): Map<string, FeedItem[]> {
  const links = new Map(entries.map((entry) => [entry, incidentLink(entry, place)]));
  const distinct = new Set(links.values());
  // An address shared by incidents of several subjects is the page's.
  const isOfPage = distinct.size === 1 && new Set(entries.map(subjectKey)).size > 1;
  const linkOf = (entry: FeedItem): string | null => (isOfPage ? null : (links.get(entry) ?? null));
  const known = entries.map(linkOf).filter((link) => link !== null);
  // If entries share an address per incident, another address is another incident.
  const joinsBySubject = new Set(known).size === known.length;
  const incidents = new Map<string, FeedItem[]>();
  const latest = new Map<string, { id: string; isOver: boolean }>();
  for (const entry of oldestFirst(entries)) {
    const subject = subjectKey(entry);
    const before = joinsBySubject && isOneUpdate(entry) ? latest.get(subject) : undefined;
    const isOver = isIncidentEnd(entry.word);
    const goesOn = before !== undefined && (!before.isOver || isOver);
    const id = goesOn ? before.id : (linkOf(entry) ?? readId(subject) ?? entry.id);
    incidents.set(id, [...(incidents.get(id) ?? []), entry]);
    if (entry.paragraphs === null) latest.set(subject, { id, isOver });
  }
  return incidents;
}

function incidentLink({ link }: FeedItem, place: string | null): string | null {
  const address = link?.split(/[?#]/, 1)[0] ?? '';
  return trimEndSlashes(address) === trimEndSlashes(place ?? '') ? null : readId(address);
}

function subjectKey({ subject }: FeedItem): string {
  return subject.toLowerCase();
}

/** A title with a state is an update; a text with its own times is a whole incident. */
function isOneUpdate({ titleWord, paragraphs }: FeedItem): boolean {
  return titleWord !== null && paragraphs === null;
}

export function isIncidentEnd(word: string | null): boolean {
  const state = word === null ? undefined : STATES[word]?.state;
  return (END_STATES as readonly (string | undefined)[]).includes(state);
}

/** By first publication. Equal times: newest first in the feed, unless the whole feed runs the other way. */
function oldestFirst(entries: readonly FeedItem[]): FeedItem[] {
  const timeOf = ({ publishedAt, at }: FeedItem): number => publishedAt ?? at ?? 0;
  const [first, last] = [entries[0], entries.at(-1)];
  const ascends = first !== undefined && last !== undefined && timeOf(first) < timeOf(last);
  return (ascends ? [...entries] : entries.toReversed()).toSorted((a, b) => timeOf(a) - timeOf(b));
}
