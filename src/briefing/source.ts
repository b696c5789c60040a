/** Wording of our own view of a source: the first look, odd data, and not being able to look at all. */
import type { BaselineDetails, OpenAtBaseline, SourceDetails } from '../transition/transition.ts';
import { link, STATUS_PAGE } from './link.ts';
import { componentLabel, noticeLabel } from './state.ts';
import { capital, oneLine, plural } from './text.ts';
import { instant, when } from './time.ts';
import type { Setting, Tellers } from './wording.ts';
import { fact, list, named, wording } from './wording.ts';

/** Of a source that is read, whatever it holds. */
export const VIEW = 'as Linewatch sees it';

/** "60 components, 2 notices". */
export function watched(details: BaselineDetails): string {
  if (details.account !== undefined) return accountText(details.account);
  return `${plural(details.components, 'component')}, ${details.notices === 0 ? 'no notices' : plural(details.notices, 'notice')}`;
}

function accountText({ phones, toggles }: NonNullable<BaselineDetails['account']>): string {
  const registered =
    phones === null ? 'phones not known yet' : `${phones.registered} of ${plural(phones.total, 'phone')} registered`;
  return `${registered}, ${toggles === null ? 'toggles not known yet' : plural(toggles, 'toggle')}`;
}

function stateText(open: OpenAtBaseline): string | null {
  if (open.state === null) return null;
  return (open.subject.startsWith('notice/') ? noticeLabel(open.state) : componentLabel(open.state)).toLowerCase();
}

function openLine(open: OpenAtBaseline, setting: Setting): string {
  const since = instant(open.since);
  const parts = [
    stateText(open),
    open.severity === 'info' ? null : open.severity,
    since === null ? null : `since ${when(since, setting.timezone, setting.now)}`,
  ].filter((part) => part !== null);
  return `#${open.number} ${named(open.title)}${parts.length === 0 ? '' : ` — ${parts.join(', ')}`}`;
}

export function openLines(details: BaselineDetails, setting: Setting): string[] {
  return details.open.map((open) => openLine(open, setting));
}

function reasons(details: SourceDetails, first: string): string[] {
  const sentences = details.reasons.map((reason) => capital(oneLine(reason)));
  return sentences.length === 0 ? [capital(oneLine(first))] : sentences;
}

export const sourceWording: Tellers<'source.baseline' | 'source.schema' | 'source.unreachable' | 'source.recovered'> = {
  'source.baseline'({ source, details }, setting) {
    const page = details.page === null ? source : named(details.page.name);
    const open = openLines(details, setting);
    const standing = open.length === 0 ? 'nothing open' : `${plural(open.length, 'alert')} open`;
    return wording(`Watching ${page}: ${watched(details)} — ${standing}`, page, {
      where: details.account === undefined ? 'the provider’s status page' : 'your own account',
      standing,
      sentences: open.length === 0 ? ['Nothing is open now. You hear from us when that changes.'] : [],
      facts: [
        ...fact('Watching', watched(details)),
        ...(details.account === undefined
          ? fact('Status page says', details.page === null ? 'not known yet' : componentLabel(details.page.state))
          : []),
      ],
      lists: list('Open now', open, false),
      links: [
        ...link(STATUS_PAGE, details.page?.url ?? null),
        ...details.open.slice(0, 3).flatMap((each) => link(`Notice about #${each.number}`, each.url)),
      ],
    });
  },

  'source.schema'({ source, to, details }) {
    return wording(`Odd data from ${source}: ${oneLine(to)}`, source, {
      sentences: [
        'What the provider sends is not what its specification says. We use what can be read and go on watching.',
      ],
      lists: list('What is odd', details.reasons, false),
      facts: fact('Address', details.base_url),
    });
  },

  'source.unreachable'({ source, to, details }) {
    return wording(`Cannot read ${source}: ${oneLine(to)}`, source, {
      where: VIEW,
      standing: 'it cannot be read',
      sentences: [
        ...reasons(details, to),
        'Until it can be read again we do not know how things stand there. What was open stays open.',
      ],
      facts: fact('Address', details.base_url),
    });
  },

  'source.recovered'({ source, details }) {
    return wording(`${capital(source)} can be read again`, source, {
      where: VIEW,
      standing: 'it can be read again',
      sentences: ['We are watching again. What changed in the meantime is told separately.'],
      facts: fact('Address', details.base_url),
    });
  },
};
