/** Wording of changes to a continuing notice: window, affected components, subject, type and rewritten updates. */
import type { WindowDetails } from '../../transition/details.ts';
import { createNoticeWording, findAffectedName } from './notice-wording.ts';
import { capitalize, formatList } from '../../text/plain.ts';
import { parseInstant, formatTime } from '../time.ts';
import {
  markAtAGlance,
  createFact,
  createList,
  cleanName,
  cleanTitle,
  createQuote,
  createWindowFact,
  formatWindow,
  type Setting,
  type WordingTable,
} from '../wording.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['planned', 'planned maintenance'],
  ['unplanned', 'an incident'],
  ['general', 'general information'],
]);

function formatType(type: string): string {
  return TYPES.get(type) ?? `“${cleanName(type)}”`;
}

/** Names the new end if only that has changed, else the new window. */
function formatRescheduled(from: WindowDetails, to: WindowDetails, subject: string, setting: Setting): string {
  const [before, after] = [parseInstant(from.ends_at), parseInstant(to.ends_at)];
  if (from.begins_at !== to.begins_at || before === null || after === null) {
    return `Rescheduled: ${subject} — now ${formatWindow(to, setting)}`;
  }
  return `${after > before ? 'Extended' : 'Shortened'}: ${subject} — now until ${formatTime(after, setting.timezone, setting.now)}`;
}

export const noticeChangeWording: WordingTable<
  'notice.rescheduled' | 'notice.impact' | 'notice.subject' | 'notice.type' | 'notice.edited'
> = {
  'notice.rescheduled'({ from, to, details }, setting) {
    return createNoticeWording(
      formatRescheduled(from, to, cleanTitle(details.notice.subject), setting),
      { ...details, notice: { ...details.notice, begins_at: null, ends_at: null } },
      setting,
      {
        facts: [createWindowFact('Was', from, setting), ...markAtAGlance([createWindowFact('Now', to, setting)])],
      },
    );
  },

  'notice.impact'({ source, from, to, details }, setting) {
    const nameOf = findAffectedName(details, (id) => setting.names(source, id));
    const before = new Set(from ?? []);
    const after = new Set(to);
    const added = to.filter((id) => !before.has(id)).map(nameOf);
    const gone = (from ?? []).filter((id) => !after.has(id)).map(nameOf);
    const subject = cleanTitle(details.notice.subject);
    const what =
      added.length > 0
        ? `Now also affects ${formatList(added, 3)}`
        : gone.length > 0
          ? `No longer affects ${formatList(gone, 3)}`
          : 'Affected components changed';
    return createNoticeWording(`${what}: ${subject}`, details, setting, {
      lists: [...createList('New', added), ...createList('No longer affected', gone)],
    });
  },

  'notice.subject'({ from, to, details }, setting) {
    return createNoticeWording(
      `Renamed by ${setting.by}: “${cleanTitle(from)}” is now “${cleanTitle(to)}”`,
      details,
      setting,
      {
        facts: [...createFact('Was', cleanTitle(from)), ...markAtAGlance(createFact('Now', cleanTitle(to)))],
      },
    );
  },

  'notice.type'({ from, to, details }, setting) {
    return createNoticeWording(
      `Reclassified as ${formatType(to)}: ${cleanTitle(details.notice.subject)}`,
      details,
      setting,
      {
        facts: [...createFact('Was', formatType(from)), ...markAtAGlance(createFact('Now', formatType(to)))],
      },
    );
  },

  'notice.edited'({ from, to, details }, setting) {
    return createNoticeWording(
      `${capitalize(setting.by)} rewrote an earlier update: ${cleanTitle(details.notice.subject)}`,
      details,
      setting,
      {
        words: [
          { state: 'Rewritten: before', at: null, ...createQuote(from, setting) },
          { state: 'Rewritten: now', at: null, ...createQuote(to, setting) },
        ],
      },
    );
  },
};
