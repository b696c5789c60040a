/** The verdict above all else: headline, its split, advice for each cause, and the one filled button. */
import { html } from 'hono/html';
import { formatList, toOneLine, formatCount } from '../../core/text/plain.ts';
import { isAwaited, formatStarting, findStarting } from '../../core/view/verdict/known.ts';
import type { OpenAlert, Picture } from '../../core/view/picture.ts';
import { listUnreadyReasons } from '../../core/view/readiness.ts';
import { listAccountViews, formatWellSums } from '../../core/view/verdict/sums.ts';
import { isStart, type Verdict } from '../../core/view/verdict/verdict.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { renderAlertActions } from '../alert/alert-card.ts';
import { listComingWork } from './maintenance-list.ts';
import { formatPageTime, type PageContext } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderFigureList, type Figure } from '../look/stats.ts';

const MOST_REASONS = 5;
const MOST_SPLIT = 3;

export function renderVerdict(context: PageContext, verdict: Verdict, beside: Fragment | null): Fragment {
  const { picture } = context;
  const { tone, headline, lead } = verdict;
  return html`<section
    class="verdict ${tone} ${beside === null ? '' : 'split'}"
    aria-labelledby="verdict-title"
    id="verdict"
    data-live
  >
    <div class="says">
      <h1 id="verdict-title">${renderVerdictGlyph(verdict)}<span>${headline}</span></h1>
      ${renderVerdictText(picture, verdict).map((text) => html`<p>${text}</p>`)} ${toDo(verdict)}
      ${lead === null ? null : renderAlertActions(context, lead, 'main')} ${notDone(picture)}
    </div>
    ${beside}
  </section>`;
}

/** A line for each cause, its first sentence in bold; null without advice. */
export function toDo({ todo, tone }: Pick<Verdict, 'todo' | 'tone'>): Fragment | null {
  if (todo.length === 0) return null;
  return html`<dl class="todo ${tone}">
    <dt>To do</dt>
    ${todo.map((text) => {
      const end = text.indexOf('. ');
      return end === -1
        ? html`<dd><b>${text}</b></dd>`
        : html`<dd><b>${text.slice(0, end + 1)}</b>${text.slice(end + 1)}</dd>`;
    })}
  </dl>`;
}

/** A clock if there is no problem and not everything has been read yet. */
export function renderVerdictGlyph(verdict: Verdict): Fragment {
  return renderGlyph(isStart(verdict) ? 'stale' : verdict.tone);
}

/** Meaning of the verdict in a few sentences. */
export function renderVerdictText(picture: Picture, verdict: Verdict): (Fragment | string)[] {
  const { lead, tone, unknown, awaited, losses } = verdict;
  const starting = tone === 'unk' ? null : findStarting(picture);
  const besides = starting === null ? [] : [`${formatStarting(starting)}.`];
  if (losses !== null) return [[...verdict.split.slice(0, MOST_SPLIT), ...besides].join(' ')];
  if (verdict.cutOff !== null) {
    return [[...(lead === null ? [] : reachSays(picture, lead)), 'Calls may work or not.'].join(' ')];
  }
  if (isStart(verdict)) {
    const missing = formatList(
      awaited.map(({ called }) => toOneLine(called)),
      MOST_REASONS,
    );
    return [`${formatWellSums(picture) ?? ''} Not read yet: ${missing}.`.trim()];
  }
  if (tone === 'unk') {
    const why = picture.sources.flatMap(({ blind }) => blind).slice(0, 2);
    return [`Nothing is called well until it answers.${why.length === 0 ? '' : ` ${why.map(toOneLine).join('; ')}.`}`];
  }
  if (lead === null) {
    const [last] = picture.ended;
    const quiet = last === undefined ? '' : ` Nothing has happened since ${formatPageTime(picture, last.endedAt)}.`;
    return [`${formatWellSums(picture) ?? 'Nothing is open.'}${quiet}`];
  }
  return [[...leadSays(picture, lead), ...unknownSays(unknown.map(({ called }) => called)), ...besides].join(' ')];
}

function reachSays(picture: Picture, { title, startedAt, why }: OpenAlert): string[] {
  return [
    `${toOneLine(title)}, since ${formatPageTime(picture, startedAt)}, ${formatElapsed(picture.now - startedAt)}.`,
    ...(why === null ? [] : [`${why}.`]),
  ];
}

function leadSays(picture: Picture, { startedAt, state, why }: OpenAlert): string[] {
  return [
    `Since ${formatPageTime(picture, startedAt)}, ${formatElapsed(picture.now - startedAt)}.`,
    ...(state === null ? [] : [`${toOneLine(state)}.`]),
    ...(why === null ? [] : [`${why}.`]),
    ...(listAccountViews(picture).length === 0 ? [] : [formatWellSums(picture) ?? '']),
  ];
}

function unknownSays(called: readonly string[]): string[] {
  if (called.length === 0) return [];
  const whose = formatList(called.map(toOneLine), 3);
  return [`Not known how ${whose} ${called.length === 1 ? 'is' : 'are'}.`];
}

/** Functions of Linewatch that fail. */
function notDone(picture: Picture): Fragment | null {
  // A first sweep in progress is not a failure.
  const reasons = listUnreadyReasons({ ...picture, sources: picture.sources.filter((source) => !isAwaited(source)) });
  if (reasons.length === 0) return null;
  const more = reasons.length - MOST_REASONS;
  return html`<details class="small" data-fold="reasons">
    <summary>Linewatch cannot do all of its work: ${formatCount(reasons.length, 'reason')}</summary>
    <ul>
      ${reasons.slice(0, MOST_REASONS).map((reason) => html`<li>${toOneLine(reason)}</li>`)}
      ${more > 0 ? html`<li>and <a href="readyz">${more} more</a></li>` : null}
    </ul>
  </details>`;
}

/** The next change of a toggle and the next planned maintenance; null if neither is known. */
export function listNext(picture: Picture): Fragment | null {
  const toggles = listAccountViews(picture).flatMap(({ toggles: all }) => all ?? []);
  const coming = toggles.flatMap((toggle) =>
    toggle.changesAt === undefined ? [] : [{ ...toggle, at: toggle.changesAt }],
  );
  const first = coming.reduce((least, { at }) => Math.min(least, at), Infinity);
  const now = coming.filter(({ at }) => at === first);
  const [toggle] = now;
  const work = listComingWork(picture).find(({ phase, beginsAt }) => phase === 'to come' && beginsAt !== null);
  const figures: Figure[] = [
    ...(toggle === undefined
      ? []
      : [
          [
            'Next toggle',
            formatPageTime(picture, first),
            now.length === 1
              ? `“${toOneLine(toggle.name)}” goes ${toggle.status === true ? 'off' : 'on'}`
              : formatCount(now.length, 'toggle'),
          ] satisfies Figure,
        ]),
    ...(work === undefined
      ? []
      : [['Next planned work', formatPageTime(picture, work.beginsAt ?? 0), toOneLine(work.subject)] satisfies Figure]),
  ];
  return figures.length === 0 ? null : renderFigureList(figures);
}
