/** What a stand-in for a medium is: the other side, as strict as the vendor's documentation. */
import type { Received } from '../http-peer.ts';

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface StandIn {
  /** What a user writes in his receiver, for a stand-in at this address. */
  keys: (url: string) => Record<string, string>;
  /** Must appear in no outcome. */
  secrets: readonly string[];
  /** Why the vendor would refuse the request; null: it takes it. */
  refuses: (request: Received) => string | null;
  /** How it answers what it takes. */
  taken: Reply | ((request: Received) => Reply);
  proves: 'shown' | 'taken' | 'accepted';
  /** Refusals for now, each with the rest that the vendor asks for in milliseconds; null for none. */
  later: readonly (Reply & { rest: number | null })[];
  /** Refusals for good. */
  never: readonly Reply[];
  /** Something of what it was sent that works: a mention, a link or markup that is none of ours. */
  live: (request: Received) => string[];
  /** The request changes an earlier message; absent where none does. */
  isEdit?: (request: Received) => boolean;
  /** The request asks for a token; absent where none does. */
  isSignIn?: (request: Received) => boolean;
  /** What people can read of a request. */
  read: (request: Received) => string;
}

/** The vendor's answer to a request that it takes. */
export function answerTaken({ taken }: Pick<StandIn, 'taken'>, request: Received): Reply {
  return typeof taken === 'function' ? taken(request) : taken;
}

export function json(request: Received): Record<string, unknown> {
  return JSON.parse(request.body) as Record<string, unknown>;
}

export function form(request: Received): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(request.body));
}

/** Null, or the first of the sentences whose condition fails. */
export function unless(conditions: Readonly<Record<string, boolean>>): string | null {
  return Object.entries(conditions).find(([, holds]) => !holds)?.[0] ?? null;
}

export function basic(request: Received): string {
  const [, coded = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  return Buffer.from(coded, 'base64').toString('utf8');
}

/** Of texts that a medium reads for names and addresses. Planted ones all hold the word `evil`. */
const READ: Readonly<Record<string, RegExp>> = {
  link: /[a-z][a-z0-9+.-]*:\/\/[^\s)>"]*evil[^\s)>"]*/giu,
  host: /[\p{L}\p{N}-]*evil[\p{L}\p{N}-]*\.\p{L}{2,}/giu,
  mention: /@[*_]*evil\w*|@(?:here|channel|everyone|all|room)\b|<[@#!]&?\w+/giu,
  emoji: /:[+-]?evil\w*:/giu,
  topic: /#[*_]*evil\w*/giu,
  command: /(?<=^|\s)\/evil\w*/gimu,
};

export function liveInText(text: string): string[] {
  return Object.values(READ).flatMap((pattern) => text.match(pattern) ?? []);
}

/** `escapable` are the characters whose meaning a backslash takes away there. */
export function liveInMarkdown(text: string, escapable: string): string[] {
  const taken = [...text.matchAll(/\\(.)|([^\\]|\\$)/gsu)]
    .map(([whole, escaped]) => (escaped === undefined ? whole : escapable.includes(escaped) ? '\ufffc' : whole))
    .join('');
  const marked = taken.match(
    /(\*\*|__|\*|_|~~|\|\||`+|\$\$)evil\w*\1|\[evil[^\]]*\]\([^)]*\)|^\s*(?:#{1,3}|>|-|\d+\.) evil\w*/gmu,
  );
  return [...(marked ?? []), ...liveInText(taken)];
}

/** HTML in which only bold, line breaks and our own links may stand. */
export function liveInHtml(html: string): string[] {
  const tags = html.match(/<[^>]*>/g) ?? [];
  const ours = /^<\/?(b|br)>$|^<a href="https:\/\/[^"]*"?>$|^<\/a>$/;
  const text = html
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return [...tags.filter((tag) => !ours.test(tag) || tag.includes('evil')), ...liveInText(text)];
}
