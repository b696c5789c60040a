/** Wording of changes to a continuing notice: window, affected components, subject, type and rewritten updates. */
import type { WindowDetails } from '../../transition/details.ts';
import { wordingOfNotice } from './notice-wording.ts';
import { capitalize, formatList } from '../../text/plain.ts';
import { instant, when } from '../time.ts';
import { atAGlance, fact, list, named, quoted, windowFact, windowOf, type Setting, type Tellers } from '../wording.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['planned', 'planned maintenance'],
  ['unplanned', 'an incident'],
  ['general', 'general information'],
]);

function formatType(type: string): string {
  return TYPES.get(type) ?? `“${named(type)}”`;
}

/** Names the new end if only that has changed, else the new window. */
function formatRescheduled(from: WindowDetails, to: WindowDetails, subject: string, setting: Setting): string {
  const [before, after] = [instant(from.ends_at), instant(to.ends_at)];
  if (from.begins_at !== to.begins_at || before === null || after === null) {
    return `Rescheduled: ${subject} — now ${windowOf(to, setting)}`;
  }
  return `${after > before ? 'Extended' : 'Shortened'}: ${subject} — now until ${when(after, setting.timezone, setting.now)}`;
}

export const noticeChangeWording: Tellers<
  'notice.rescheduled' | 'notice.impact' | 'notice.subject' | 'notice.type' | 'notice.edited'
> = {
  'notice.rescheduled'({ from, to, details }, setting) {
    return wordingOfNotice(
      formatRescheduled(from, to, named(details.notice.subject), setting),
      { ...details, notice: { ...details.notice, begins_at: null, ends_at: null } },
      setting,
      {
        facts: [windowFact('Was', from, setting), ...atAGlance([windowFact('Now', to, setting)])],
      },
    );
  },

  'notice.impact'({ source, from, to, details }, setting) {
    const known = new Map((details.components ?? []).map((component) => [component.id, component.name]));
    const nameOf = (id: string): string => named(known.get(id) ?? setting.names(source, id) ?? `component ${id}`);
    const before = new Set(from ?? []);
    const after = new Set(to);
    const added = to.filter((id) => !before.has(id)).map(nameOf);
    const gone = (from ?? []).filter((id) => !after.has(id)).map(nameOf);
    const subject = named(details.notice.subject);
    const what =
      added.length > 0
        ? `Now also affects ${formatList(added, 3)}`
        : gone.length > 0
          ? `No longer affects ${formatList(gone, 3)}`
          : 'Affected components changed';
    return wordingOfNotice(`${what}: ${subject}`, details, setting, {
      lists: [...list('New', added), ...list('No longer affected', gone)],
    });
  },

  'notice.subject'({ from, to, details }, setting) {
    return wordingOfNotice(`Renamed by ${setting.by}: “${named(from)}” is now “${named(to)}”`, details, setting, {
      facts: [...fact('Was', named(from)), ...atAGlance(fact('Now', named(to)))],
    });
  },

  'notice.type'({ from, to, details }, setting) {
    return wordingOfNotice(`Reclassified as ${formatType(to)}: ${named(details.notice.subject)}`, details, setting, {
      facts: [...fact('Was', formatType(from)), ...atAGlance(fact('Now', formatType(to)))],
    });
  },

  'notice.edited'({ from, to, details }, setting) {
    return wordingOfNotice(
      `${capitalize(setting.by)} rewrote an earlier update: ${named(details.notice.subject)}`,
      details,
      setting,
      {
        words: [
          { state: 'Rewritten: before', at: null, ...quoted(from, setting) },
          { state: 'Rewritten: now', at: null, ...quoted(to, setting) },
        ],
      },
    );
  },
};
