/**
 * Entries of one incident. A feed has one entry for each incident or one for each update; those of an update may have
 * the address of their incident, or each an address of its own and only the subject in common.
 */
import { trimEndSlashes } from '../../core/text/plain.ts';
import { END_STATES } from '../../core/page/page-model.ts';
import { readId } from '../reading.ts';
import { STATES } from './labels.ts';
import type { Paragraphs } from './paragraphs.ts';

export interface FeedItem {
  id: string;
  /** The title without its label, and the label's word. */
  subject: string;
  titleWord: string | null;
  link: string | null;
  content: string;
  /** When it was last written, and when first. */
  at: number | null;
  publishedAt: number | null;
  /** Of the title, else of the text. */
  word: string | null;
  /** Null where its text does not have the times of its updates. */
  paragraphs: Paragraphs | null;
}

/**
 * The entries of each incident, oldest first, by the id of its notice: the address or subject of its oldest entry, which
 * stays when a further entry arrives. `place`: the address of the page itself.
 */
export function groupByIncident(entries: readonly FeedItem[], place: string | null): Map<string, FeedItem[]> {
  const links = new Map(entries.map((entry) => [entry, incidentLink(entry, place)]));
  const distinct = new Set(links.values());
  // An address that incidents of several subjects share, and no other, is the page's.
  const isOfPage = distinct.size === 1 && new Set(entries.map(subjectKey)).size > 1;
  const linkOf = (entry: FeedItem): string | null => (isOfPage ? null : (links.get(entry) ?? null));
  const known = entries.map(linkOf).filter((link) => link !== null);
  // Where entries have the address of an incident in common, another address is another incident.
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

/** A title that says the state is of an update; a text with times of its own has the whole incident. */
function isOneUpdate({ titleWord, paragraphs }: FeedItem): boolean {
  return titleWord !== null && paragraphs === null;
}

export function isIncidentEnd(word: string | null): boolean {
  const state = word === null ? undefined : STATES[word]?.state;
  return (END_STATES as readonly (string | undefined)[]).includes(state);
}

/** By when they were first written; a feed lists those of one instant the newest first, unless all of it is the other way round. */
function oldestFirst(entries: readonly FeedItem[]): FeedItem[] {
  const timeOf = ({ publishedAt, at }: FeedItem): number => publishedAt ?? at ?? 0;
  const [first, last] = [entries[0], entries.at(-1)];
  const ascends = first !== undefined && last !== undefined && timeOf(first) < timeOf(last);
  return (ascends ? [...entries] : entries.toReversed()).toSorted((a, b) => timeOf(a) - timeOf(b));
}
