/** Wording of Linewatch's view of a source: first sweep, odd data, unreachable, access refused. */
import { MINUTE } from '../text/duration.ts';
import type { Kind } from '../transition/kind.ts';
import type { TransitionOf } from '../transition/transition.ts';
import type { BaselineDetails, OpenAtBaseline, SourceDetails } from '../transition/details.ts';
import {
  ACCOUNT,
  createFact,
  createLink,
  createList,
  cleanName,
  createStatusPageLink,
  formatWindow,
  PAGE,
  createWording,
  type Setting,
  type WordingTable,
  type Wording,
} from './wording.ts';
import { type DisplayNames, formatSourceName, describeWatched } from './baselines.ts';
import { formatComponentState, formatNoticeState } from './state-words.ts';
import { capitalize, formatList, toOneLine, formatCount, toSentence } from '../text/plain.ts';
import { parseInstant, formatElapsed, formatTime } from './time.ts';
import { ACCOUNT_PARTS, PAGE_PARTS } from '../observation/listing.ts';

/** Place of changes in Linewatch's view of a source. */
const VIEW = 'as Linewatch sees it';

const AGAIN = 'tried again every 5 minutes, and at once after a reload';
const WATCHING = 'What changed in the meantime is told separately.';

function formatOpenState(open: OpenAtBaseline): string | null {
  if (open.state === null) return null;
  return (
    open.subject.startsWith('notice/') ? formatNoticeState(open.state) : formatComponentState(open.state)
  ).toLowerCase();
}

/** Start, or planned window; null if neither is known. */
function formatOpenTime(open: OpenAtBaseline, setting: Setting): string | null {
  const { begins_at = null, ends_at = null } = open;
  if (begins_at !== null || ends_at !== null) return formatWindow({ begins_at, ends_at }, setting);
  const since = parseInstant(open.since);
  return since === null ? null : `since ${formatTime(since, setting.timezone, setting.now)}`;
}

function openLine(open: OpenAtBaseline, setting: Setting): string {
  const parts = [
    formatOpenState(open),
    open.severity === 'info' ? null : open.severity,
    formatOpenTime(open, setting),
  ].filter((part) => part !== null);
  return `#${open.number} ${cleanName(open.title)}${parts.length === 0 ? '' : ` — ${parts.join(', ')}`}`;
}

function openLines(details: BaselineDetails, setting: Setting): string[] {
  return details.open.map((open) => openLine(open, setting));
}

/** Names of the parts of a sweep. */
const PARTS: Readonly<Record<string, string>> = {
  notices: 'notices',
  page: 'page as a whole',
  components: 'components',
  registrations: 'registrations',
  extensions: 'list of extensions',
  toggles: 'toggles',
};
/** Name of a part of a sweep; unknown parts are named by their id. */
function namePart(part: string): string {
  return PARTS[part] ?? part;
}

/** Names of the parts that cannot be read; null if that is all of them. */
function listLackingParts({ lacks = [] }: SourceDetails): string[] | null {
  const parts = lacks.map(({ part }) => part);
  const isAll = [PAGE_PARTS, ACCOUNT_PARTS].some((whole) => whole.every((part) => parts.includes(part)));
  if (isAll || parts.length === 0 || parts.includes(null)) return null;
  return parts.flatMap((part) => (part === null ? [] : namePart(part)));
}

/** `Status page “provider”`, `Account “head-office”`: with the customer's name if there are several. */
function formatSourceTitle(source: string, { account }: Pick<SourceDetails, 'account'>, setting: DisplayNames): string {
  return `${account === true ? 'Account' : 'Status page'} “${formatSourceName(source, setting)}”`;
}

/** Place of the source: the provider's page or the own account. */
function placeOf({ account }: { account?: unknown }): string {
  return account === undefined ? PAGE : ACCOUNT;
}

/** Duration up to the report. */
function formatSince({ since }: SourceDetails, at: number): string {
  const from = parseInstant(since);
  return from === null || at - from < 1000 ? '' : ` for ${formatElapsed(at - from)}`;
}

/** The headline, and the reasons that are not part of it. */
function describeUnreadable(
  what: string,
  to: string,
  how: string,
  details: SourceDetails,
): { headline: string; sentences: string[] } {
  const parts = listLackingParts(details);
  const sentences = details.reasons.map(toSentence);
  if (parts !== null) return { headline: `${what}: ${formatList(parts, 3)} unreadable${how}`, sentences };
  // All parts may fail for the same reason.
  const [why = to, ...others] = new Set(details.lacks?.map((lack) => lack.why));
  const saysMore = details.lacks === undefined && to !== details.reasons.join('; ');
  if (saysMore) return { headline: `${what} unreachable${how}: ${toOneLine(to)}`, sentences };
  return others.length === 0
    ? { headline: `${what} unreachable${how}: ${toOneLine(why)}`, sentences: [] }
    : { headline: `${what} unreachable${how}`, sentences };
}

/** The reasons that the headline of this change does not name. */
export function listFurtherReasons({
  to,
  details,
}: Pick<TransitionOf<'source.unreachable'>, 'to' | 'details'>): string[] {
  return describeUnreadable('', to, '', details).sentences;
}

/** Quiet hours may have held the summary. */
function formatNothingOpen(lateMs: number): string {
  return lateMs < 5 * MINUTE
    ? 'Nothing is open now. You hear from us when that changes.'
    : 'Nothing was open then. You hear from us of what has changed since.';
}

/**
 * An account of which no phone is registered: a phone that was never seen cannot be lost. The same sentence for all of them;
 * empty for any other.
 */
function describeUnregistered({ account }: BaselineDetails): string[] {
  const { phones = null, extensions = phones?.total ?? 0 } = account ?? {};
  if (phones === null || phones.registered > 0 || extensions === 0) return [];
  return [
    'Where no phone is registered now, each is watched from its first registration on: look whether they are offline.',
  ];
}

export const sourceWording: WordingTable<Extract<Kind, `source.${string}`>> = {
  'source.baseline'({ source, at, details }, setting) {
    const { by } = setting;
    const customer = setting.customer(source);
    const called = customer === null ? formatSourceName(source, setting) : `“${cleanName(customer)}”`;
    const page = details.page === null ? called : cleanName(details.page.name);
    const open = openLines(details, setting);
    const standing = open.length === 0 ? 'nothing open' : `${formatCount(open.length, 'alert')} open`;
    return createWording(`Watching ${page}: ${describeWatched(details)} — ${standing}`, page, {
      where: placeOf(details),
      standing,
      sentences: open.length === 0 ? [formatNothingOpen(setting.now - at), ...describeUnregistered(details)] : [],
      facts: [
        ...createFact('Watching', describeWatched(details)),
        ...(details.account === undefined
          ? createFact(
              'Status page says',
              details.page === null ? 'not known yet' : formatComponentState(details.page.state),
            )
          : []),
      ],
      lists: createList('Open now', open, false),
      links: [
        ...createStatusPageLink(by, details.page?.url ?? null),
        ...details.open.slice(0, 3).flatMap((each) => createLink(`Notice about #${each.number}`, each.url)),
      ],
    });
  },

  'source.schema'({ source, to, details }, setting) {
    const { by } = setting;
    const thing = formatSourceName(source, setting);
    return createWording(`Odd data from “${thing}”: ${toOneLine(to)}`, thing, {
      where: placeOf(details),
      sentences: [`What ${by} sends is not what its specification says. We use what can be read and go on watching.`],
      lists: createList('What is odd', details.reasons, false),
      facts: createFact('Address', details.base_url),
    });
  },

  'source.unreachable'({ source, at, to, details }, setting) {
    const thing = formatSourceTitle(source, details, setting);
    const { headline, sentences } = describeUnreadable(thing, to, formatSince(details, at), details);
    return createWording(headline, thing, {
      where: VIEW,
      standing: 'unreachable',
      sentences: [
        ...sentences,
        listLackingParts(details) === null
          ? 'Until it can be read again we do not know how things stand there. What was open stays open.'
          : 'Until then we do not know how these stand. What was open stays open.',
      ],
      facts: createFact('Address', details.base_url),
    });
  },

  'source.recovered'({ source, details }, setting) {
    const thing = formatSourceTitle(source, details, setting);
    return createWording(`${thing} can be read again`, thing, {
      where: VIEW,
      standing: 'it can be read again',
      sentences: [WATCHING],
      facts: createFact('Address', details.base_url),
    });
  },

  'source.credentials'({ source, to, details }, setting) {
    const thing = formatSourceName(source, setting);
    if (details.parts !== undefined) return describeRefusedParts(thing, details.parts, details, setting.by);
    if (details.keyless === true) return describeRefusedPage(source, to, details);
    return createWording(`The provider refuses the credentials of account “${thing}”`, thing, {
      where: ACCOUNT,
      standing: 'its credentials are refused',
      sentences: [
        toSentence(to),
        'Until they are accepted nothing is known of this account: no phone counts as lost or as registered. They are ' +
          `${AGAIN}.`,
        'If the key was changed or withdrawn, give Linewatch the new one and reload it; a credential of systemd needs a restart.',
      ],
      facts: createFact('Address', details.base_url),
    });
  },

  'source.accepted'({ source, details }, setting) {
    const keyless = details.keyless === true;
    const thing = formatSourceName(source, setting);
    const headline = keyless
      ? `Status page “${source}” can be read again`
      : `The provider accepts the credentials of account “${thing}” again`;
    return createWording(headline, thing, {
      where: keyless ? VIEW : ACCOUNT,
      standing: keyless ? 'it can be read again' : 'its credentials are accepted',
      sentences: [WATCHING],
      facts: createFact('Address', details.base_url),
    });
  },

  'source.changed'({ source, details }) {
    const thing = `Status page “${source}”`;
    const [before, now] = [cleanName(details.names.from), cleanName(details.names.to)];
    const facts = [
      ...createFact('Address', details.base_url),
      ...createFact('Page', before === now ? `${now}, with other ids` : `${before} → ${now}`),
    ];
    if (details.back) {
      return createWording(`${thing} is the one we watch again`, thing, {
        where: VIEW,
        standing: 'it is the page we watch again',
        sentences: [WATCHING],
        facts,
      });
    }
    return createWording(`${thing} is another one now: nothing of it is believed until you confirm it`, thing, {
      where: VIEW,
      standing: 'another page answers there',
      sentences: [
        'Another page answers at this address, or the vendor has moved to another system: its ids are all others. What was open stays open, and nothing is over or withdrawn.',
        'If it is the right one, give the page “accept_new_page: true”, or its new address, and reload Linewatch: it is then watched from there on.',
      ],
      facts,
    });
  },
};

function describeRefusedParts(source: string, parts: readonly string[], details: SourceDetails, by: string): Wording {
  const called = formatList(
    parts.map((part) => namePart(part)),
    3,
  );
  return createWording(
    `${capitalize(by)} refuses the ${called} of ${details.keyless === true ? 'status page' : 'account'} “${source}”`,
    source,
    {
      where: details.keyless === true ? VIEW : ACCOUNT,
      standing: `its ${called} are refused`,
      sentences: [
        ...new Set(details.reasons.map(toSentence)),
        `Until it lets us in nothing is known of the ${called}; everything else is watched as usual. They are ${AGAIN}.`,
      ],
      facts: createFact('Address', details.base_url),
    },
  );
}

function describeRefusedPage(source: string, to: string, details: SourceDetails): Wording {
  return createWording(`Status page “${source}” refuses access`, source, {
    where: VIEW,
    standing: 'access is refused',
    sentences: [
      toSentence(to),
      `Until it lets us in we do not know how things stand there. What was open stays open. It is ${AGAIN}.`,
    ],
    facts: createFact('Address', details.base_url),
  });
}
