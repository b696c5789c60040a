/** The verdict above all else: headline, its split, advice for each cause, and the one filled button. */
import { html } from 'hono/html';
import { toReadableLine } from '../../core/text/markup.ts';
import { formatList, toOneLine, formatCount } from '../../core/text/plain.ts';
import { isAwaited, formatStarting, findStarting } from '../../core/view/verdict/known.ts';
import type { OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
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
  const { status } = context;
  const { tone, headline, lead } = verdict;
  return html`<section
    class="verdict ${tone} ${beside === null ? '' : 'split'}"
    aria-labelledby="verdict-title"
    id="verdict"
    data-live
  >
    <div class="says">
      <h1 id="verdict-title">${renderVerdictGlyph(verdict)}<span>${headline}</span></h1>
      ${renderVerdictText(status, verdict).map((text) => html`<p>${text}</p>`)} ${toDo(verdict)}
      ${lead === null ? null : renderAlertActions(context, lead, 'main')} ${notDone(status)}
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
export function renderVerdictText(status: SystemStatus, verdict: Verdict): (Fragment | string)[] {
  const { lead, tone, unknown, awaited, losses } = verdict;
  const starting = tone === 'unk' ? null : findStarting(status);
  const besides = starting === null ? [] : [`${formatStarting(starting)}.`];
  if (losses !== null) return [[...verdict.split.slice(0, MOST_SPLIT), ...besides].join(' ')];
  if (verdict.cutOff !== null) {
    return [[...(lead === null ? [] : reachSays(status, lead)), 'Calls may work or not.'].join(' ')];
  }
  if (isStart(verdict)) {
    const missing = formatList(
      awaited.map(({ called }) => toOneLine(called)),
      MOST_REASONS,
    );
    return [`${formatWellSums(status) ?? ''} Not read yet: ${missing}.`.trim()];
  }
  if (tone === 'unk') {
    const why = status.sources.flatMap(({ blind }) => blind).slice(0, 2);
    return [`Nothing is called well until it answers.${why.length === 0 ? '' : ` ${why.map(toOneLine).join('; ')}.`}`];
  }
  if (lead === null) {
    const [last] = status.ended;
    const quiet = last === undefined ? '' : ` Nothing has happened since ${formatPageTime(status, last.endedAt)}.`;
    return [`${formatWellSums(status) ?? 'Nothing is open.'}${quiet}`];
  }
  return [[...leadSays(status, lead), ...unknownSays(unknown.map(({ called }) => called)), ...besides].join(' ')];
}

function reachSays(status: SystemStatus, { title, startedAt, why }: OpenAlert): string[] {
  return [
    `${toOneLine(title)}, since ${formatPageTime(status, startedAt)}, ${formatElapsed(status.now - startedAt)}.`,
    ...(why === null ? [] : [`${why}.`]),
  ];
}

function leadSays(status: SystemStatus, { startedAt, state, why }: OpenAlert): string[] {
  return [
    `Since ${formatPageTime(status, startedAt)}, ${formatElapsed(status.now - startedAt)}.`,
    ...(state === null ? [] : [`${toOneLine(state)}.`]),
    ...(why === null ? [] : [`${why}.`]),
    ...(listAccountViews(status).length === 0 ? [] : [formatWellSums(status) ?? '']),
  ];
}

function unknownSays(called: readonly string[]): string[] {
  if (called.length === 0) return [];
  const whose = formatList(called.map(toOneLine), 3);
  return [`Not known how ${whose} ${called.length === 1 ? 'is' : 'are'}.`];
}

/** Functions of Linewatch that fail. */
function notDone(status: SystemStatus): Fragment | null {
  // A first sweep in progress is not a failure.
  const reasons = listUnreadyReasons({ ...status, sources: status.sources.filter((source) => !isAwaited(source)) });
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
export function listNext(status: SystemStatus): Fragment | null {
  const toggles = listAccountViews(status).flatMap(({ toggles: all }) => all ?? []);
  const coming = toggles.flatMap((toggle) =>
    toggle.changesAt === undefined ? [] : [{ ...toggle, at: toggle.changesAt }],
  );
  const first = coming.reduce((least, { at }) => Math.min(least, at), Infinity);
  const now = coming.filter(({ at }) => at === first);
  const [toggle] = now;
  const work = listComingWork(status).find(({ phase, beginsAt }) => phase === 'to come' && beginsAt !== null);
  const figures: Figure[] = [
    ...(toggle === undefined
      ? []
      : [
          [
            'Next toggle',
            formatPageTime(status, first),
            now.length === 1
              ? `“${toOneLine(toggle.name)}” goes ${toggle.status === true ? 'off' : 'on'}`
              : formatCount(now.length, 'toggle'),
          ] satisfies Figure,
        ]),
    ...(work === undefined
      ? []
      : [
          [
            'Next planned work',
            formatPageTime(status, work.beginsAt ?? 0),
            toReadableLine(work.subject),
          ] satisfies Figure,
        ]),
  ];
  return figures.length === 0 ? null : renderFigureList(figures);
}
