/** Open and resolved alerts as an Atom feed (RFC 4287). The provider's text is escaped. */
import { joinNames, truncate, toOneLine, toPlainText, trimEndSlashes } from '../../core/text/plain.ts';
import type { EndedAlert, OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
import { toReadableText } from '../../core/text/markup.ts';
import { escapeXml } from './badge.ts';

interface FeedEntry {
  number: number;
  title: string;
  at: number;
  text: string;
  category: string;
}

/** Without an external address its links have no target, and are omitted. */
export function renderAtomFeed(status: SystemStatus, externalUrl: string | null): string {
  const { instance, open, ended, now, startedAt } = status;
  const base = externalUrl === null ? null : trimEndSlashes(externalUrl);
  const entries = [...open.map(openEntry), ...ended.map(endedEntry)].toSorted((a, b) => b.at - a.at);
  const updated = entries[0]?.at ?? startedAt ?? now;
  const id = `urn:linewatch:${encodeURIComponent(instance)}`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${escapeXml(id)}</id>
<title>Linewatch ${escapeXml(toOneLine(instance))}</title>
<updated>${new Date(updated).toISOString()}</updated>
<author><name>Linewatch</name></author>
${base === null ? '' : `<link rel="alternate" href="${escapeXml(`${base}/`)}"/><link rel="self" href="${escapeXml(`${base}/feed.atom`)}"/>\n`}${entries.map((entry) => entryXml(entry, id, base)).join('')}</feed>
`;
}

function entryXml({ number, title, at, text, category }: FeedEntry, id: string, base: string | null): string {
  return `<entry>
<id>${escapeXml(`${id}:alert:${number}`)}</id>
<title type="text">${escapeXml(`#${number} ${toOneLine(title) || 'without a title'}`)}</title>
<updated>${new Date(at).toISOString()}</updated>
<category term="${escapeXml(category)}"/>
${base === null ? '' : `<link rel="alternate" href="${escapeXml(`${base}/alerts/${number}`)}"/>\n`}<content type="text">${escapeXml(text)}</content>
</entry>
`;
}

function openEntry({
  number,
  title,
  severity,
  startedAt,
  state,
  affected,
  words,
  said,
  notified,
  acknowledged,
}: OpenAlert): FeedEntry {
  const lines = [
    `Open, ${severity}.`,
    ...(state === null ? [] : [`${toOneLine(state)}.`]),
    ...(affected.length === 0 ? [] : [`Hits ${truncate(joinNames(affected.map(toOneLine)), 500)}.`]),
    ...(acknowledged === null ? [] : [`${toOneLine(acknowledged.by)} has it.`]),
    ...(words === null ? [] : ['', truncate(toPlainText(toReadableText(words.text)), 4_000)]),
  ];
  const times = [...said.map(({ at }) => at ?? 0), ...notified.map(({ at }) => at ?? 0), acknowledged?.at ?? 0];
  const at = times.reduce((latest, each) => Math.max(latest, each), startedAt);
  return { number, title, at, text: lines.join('\n'), category: severity };
}

function endedEntry({ number, title, severity, endedAt }: EndedAlert): FeedEntry {
  return { number, title, at: endedAt, text: `Over; it was ${severity}.`, category: 'over' };
}
