/** Cards of a firm whose provider does not answer: the known, the unknown, and phones as last seen. */
import { html } from 'hono/html';
import { formatInteger, formatList, toOneLine, formatCount } from '../../core/text/plain.ts';
import type { SystemStatus, SourceView } from '../../core/view/system-status.ts';
import { isUnknownSource } from '../../core/view/verdict/known.ts';
import { listAccountViews, listPageViews } from '../../core/view/verdict/sums.ts';
import { findMinimum } from '../../core/transition/collections.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { formatPageTime } from '../look/layout.ts';

interface CardLine {
  glyph: Fragment;
  text: string;
  beside: string;
}

/** Each fact is either here or in the other card. */
export function renderKnownCard(status: SystemStatus): Fragment {
  const read = listPageViews(status).filter((page) => !isUnknownSource(page));
  const [latest] = read.toSorted((a, b) => a.unreadMs - b.unreadMs);
  const silent = status.sources.filter((source) => source.unreachable);
  return renderCard('known', 'Known', [
    ...(latest === undefined
      ? []
      : [
          {
            glyph: renderGlyph('ok'),
            text: 'This machine’s internet line works',
            beside: `${toOneLine(latest.called)}’s page was read ${formatElapsed(latest.unreadMs)} ago.`,
          },
        ]),
    ...read.map((page): CardLine => {
      const { components, isWell, state, called } = page;
      return {
        glyph: renderGlyph(isWell ? 'ok' : 'warn'),
        text: `${toOneLine(called)}: ${toOneLine(state ?? '').toLowerCase()}`,
        beside: components.total === 0 ? '' : `${formatCount(components.total, 'component')}.`,
      };
    }),
    ...silent.map((source) => ({
      glyph: renderGlyph('warn'),
      text: `${source.type === 'account' ? 'Your account' : toOneLine(source.called)} does not answer`,
      beside: [...source.blind.slice(0, 1).map(toOneLine), lastRead(status, source)].join(', '),
    })),
  ]);
}

function lastRead(status: SystemStatus, { lastReadAt }: SourceView): string {
  return lastReadAt === null ? 'not read since the start' : `last read ${formatPageTime(status, lastReadAt)}`;
}

/** `total`: all watched phones. */
export function renderNotKnownCard(status: SystemStatus, total: number): Fragment {
  const accounts = listAccountViews(status);
  const seen = accounts.reduce((sum, { phones }) => sum + (phones?.registered ?? 0), 0);
  const at = accounts.flatMap(({ lastReadAt }) => lastReadAt ?? []);
  const toggles = accounts.flatMap((account) => account.toggles ?? []);
  const [next] = toggles
    .flatMap((toggle) => (toggle.changesAt === undefined ? [] : [{ ...toggle, at: toggle.changesAt }]))
    .toSorted((a, b) => a.at - b.at);
  const glyph = renderGlyph('unk');
  const when = at.length === 0 ? '' : ` at ${formatPageTime(status, findMinimum(at))}`;
  const registered =
    seen === total ? 'All were registered' : `${formatInteger(seen)} of ${formatInteger(total)} were registered`;
  return renderCard('not-known', 'Not known', [
    { glyph, text: `Your ${formatCount(total, 'phone')}`, beside: `${registered}${when}.` },
    ...listPageViews(status)
      .filter(isUnknownSource)
      .map((page) => ({
        glyph,
        text: `${toOneLine(page.called)}${page.components.total === 0 ? '' : `, ${formatCount(page.components.total, 'component')}`}`,
        beside: `${componentsThen(page.components.notOperational)} when it was last read.`,
      })),
    ...(toggles.length === 0
      ? []
      : [
          {
            glyph,
            text: `Your ${formatCount(toggles.length, 'toggle')}`,
            beside:
              next === undefined
                ? 'A change would not be seen.'
                : `“${toOneLine(next.name)}” goes ${next.expected === true ? 'off' : 'on'} next, ${formatPageTime(status, next.at)}; a change would not be seen.`,
          },
        ]),
  ]);
}

function componentsThen(notOperational: readonly { name: string }[]): string {
  const names = notOperational.map(({ name }) => toOneLine(name));
  return names.length === 0 ? 'All was operational' : `${formatList(names, 3)} not operational`;
}

function renderCard(id: string, title: string, lines: readonly CardLine[]): Fragment {
  return html`<section class="card w4" aria-labelledby="${id}" id="${id}-list">
    <div class="head"><h2 id="${id}">${title}</h2></div>
    <ul class="rows">
      ${lines.map(
        ({ glyph, text, beside }) =>
          html`<li>
            <p>${glyph} <b>${text}</b></p>
            ${beside === '' ? null : html`<small>${beside}</small>`}
          </li>`,
      )}
    </ul>
  </section>`;
}
