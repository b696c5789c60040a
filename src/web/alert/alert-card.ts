/** An open alert: its effect, the provider's progress and text, its acknowledgement, and its events folded away. */
import { findByName } from '../../core/transition/collections.ts';
import { html } from 'hono/html';
import { capitalize, truncate, formatList, toOneLine, formatCount } from '../../core/text/plain.ts';
import { createPartMatchers } from '../../core/view/muting.ts';
import type { OpenAlert, PartView, SystemStatus, SaidByProvider } from '../../core/view/system-status.ts';
import { type VerdictTone, toTone } from '../../core/view/verdict/verdict.ts';
import { toReadableLine, toReadableText } from '../../core/text/markup.ts';
import { findAlertAuthor } from '../../core/wording/authors.ts';
import { formatNoticeState } from '../../core/wording/state-words.ts';
import { explainHold } from '../../core/wording/phones/why.ts';
import {
  renderHour,
  formatNames,
  renderStatusPageLink,
  renderSince,
  renderTime,
  renderToneBadge,
  renderProviderWords,
  type PageContext,
} from '../look/layout.ts';
import { countOfflineBy } from '../../core/view/verdict/alert-order.ts';
import { listAccountViews, sumPhones } from '../../core/view/verdict/sums.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { signInLink } from '../access/sign-in-link.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { createSilenceQuery } from '../views/silence-form.ts';

/** `isLead`: the verdict above shows its phones, advice and button. */
export function renderAlertCard(context: PageContext, alert: OpenAlert, isLead: boolean): Fragment {
  const { status } = context;
  const { number, severity, startedAt, words: said } = alert;
  const tone = toTone(severity);
  return html`<article
    class="card alert ${tone} ${severity === 'critical' ? 'hot' : ''}"
    id="alert-${number}"
    aria-labelledby="a${number}"
  >
    <p class="meta">
      ${renderToneBadge(tone)} <a class="quiet" href="alerts/${number}">#${number}</a>
      <span>${renderSince(status, startedAt)}</span>
    </p>
    <h2 id="a${number}">${cardTitle(status, alert, isLead)}</h2>
    ${renderProviderSteps(status, alert, tone)} ${renderProviderWords(said)} ${facts(status, alert)}
    ${folded(status, alert)} ${isLead ? null : renderAlertActions(context, alert)}
  </article>`;
}

/** Below the verdict, which shows the sum, the provider's own title; else the alert's title. */
function cardTitle(status: SystemStatus, alert: OpenAlert, isLead: boolean): string {
  const by = isLead ? alert.said.at(-1)?.source : undefined;
  const subject = toReadableLine(alert.subject ?? '');
  if (by !== undefined && subject !== '') return `${findSourceTitle(status, by)}: ${subject}`;
  return toOneLine(alert.title) || 'Without a title';
}

/** One line with one reason, for further open alerts. */
export function renderAlsoOpen(status: SystemStatus, alert: OpenAlert): Fragment {
  const { number, severity, title, startedAt, parts } = alert;
  const isSilenced = parts.every(({ silencedBy }) => silencedBy !== null);
  const tone = toTone(severity);
  return html`<li id="alert-${number}">
    <p class="x">
      ${isSilenced ? renderGlyph('muted') : severity === 'info' ? renderGlyph('info', 'work') : renderGlyph(tone)}<a
        class="quiet"
        href="alerts/${number}"
        ><span class="hidden">${capitalize(severity)}: </span>${toOneLine(title) || 'Without a title'}</a
      ><span>${renderTime(status, startedAt)}</span>
    </p>
    <small>${reasonOf(status, alert, isSilenced)}</small>
  </li>`;
}

function reasonOf(status: SystemStatus, alert: OpenAlert, isSilenced: boolean): string {
  const { state, affected, acknowledged, why, sources } = alert;
  const isPageOnly = status.sources.every(({ name, type }) => type === 'status page' || !sources.includes(name));
  const first =
    isPageOnly && countOfflineBy(alert) === 0 && listAccountViews(status).length > 0 && sumPhones(status).well > 0
      ? 'None of your phones is offline by it'
      : null;
  return [
    ...(isSilenced ? ['Silenced'] : []),
    ...(acknowledged === null ? [] : [`Acknowledged by ${toOneLine(acknowledged.by)}`]),
    ...(state === null ? [] : [toOneLine(state)]),
    ...(why !== null ? [why] : first !== null ? [first] : affected.length > 0 ? [formatNames(affected, 4)] : []),
  ].join('. ');
}

/** Names of the affected sources for people. */
export function formatAffectedNames(status: SystemStatus, { sources }: Pick<OpenAlert, 'sources'>): string {
  return formatList(
    sources.map((source) => findSourceTitle(status, source)),
    3,
  );
}

const COURSES: Readonly<Record<string, readonly string[]>> = {
  unplanned: ['investigating', 'identified', 'recovering', 'resolved'],
  planned: ['scheduled', 'underway', 'complete'],
};

/** Progress of the provider: the time of its first report of each state in turn. Null for an unusual order. */
export function renderProviderSteps(
  status: SystemStatus,
  alert: Pick<OpenAlert, 'said' | 'sources'>,
  tone: VerdictTone,
): Fragment | null {
  const { said } = alert;
  const now = said.findLast(({ state }) => state !== null)?.state ?? null;
  const course = Object.values(COURSES).find((states) => now !== null && states.includes(now));
  if (course === undefined || now === null) return null;
  const place = course.indexOf(now);
  return html`<ol class="steps ${tone}" aria-label="How far ${findAlertAuthor(status.sources, alert)} is">
    ${course.map((state, index) => {
      const at = index > place ? null : (said.find((each) => each.state === state)?.at ?? null);
      const how = index < place ? 'done' : index === place ? 'done here' : '';
      return html`<li class="${how}" ${index === place ? html`aria-current="step"` : null}>
        <span>${formatNoticeState(state)}</span>${at === null ? null : renderHour(status, at)}
      </li>`;
    })}
  </ol>`;
}

/** `11 customers, 3 components`; for one customer the names of its components. */
function affectsText(status: SystemStatus, alert: OpenAlert, affected: readonly string[]): string {
  const hit = new Set(
    alert.parts.flatMap(({ source, phones }) => (phones === undefined ? [] : [findSourceTitle(status, source)])),
  );
  if (hit.size === 0) return affected.length === 0 ? '' : formatNames(affected);
  const isPage = (source: string): boolean => findByName(status.sources, source)?.type === 'status page';
  const components = alert.parts.flatMap((part) => (isPage(part.source) ? part.affected : []));
  if (hit.size === 1) return components.length === 0 ? [...hit].join('') : formatNames(components, 6);
  return [
    formatCount(hit.size, 'customer'),
    ...(components.length === 0 ? [] : [formatCount(components.length, 'component')]),
  ].join(', ');
}

function facts(status: SystemStatus, alert: OpenAlert): Fragment {
  const { state, affected, why, notified, notTold, acknowledged, also, parts, said } = alert;
  const affects = affectsText(status, alert, affected);
  const silenced = parts.flatMap(({ silencedBy }) => silencedBy ?? []);
  const last = notified.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  const rows: (readonly [string, Fragment | string])[] = [
    ...(state === null || said.some((each) => each.state !== null) ? [] : [['Status', toOneLine(state)] as const]),
    ...(affects === '' ? [] : [['Affects', affects] as const]),
    ...(why === null ? [] : [['Cause', why] as const]),
    ...(also.length === 0 ? [] : [['Merged', also.map((each) => `#${each}`).join(', ')] as const]),
    ...(notified.length === 0
      ? []
      : [
          [
            'Notified',
            html`${notified.length > 4 ? formatCount(notified.length, 'receiver') : notified.map(({ receiver }) => receiver).join(', ')}${last === 0 ? null : html`, last at ${renderTime(status, last)}`}`,
          ] as const,
        ]),
    ...(notTold === null || notTold.reason === 'acknowledged'
      ? []
      : [['Next', capitalize(explainHold(notTold, status.now))] as const]),
    [
      'Acknowledged by',
      acknowledged === null
        ? 'nobody'
        : html`${renderGlyph('person')} ${toOneLine(acknowledged.by)},
          ${renderTime(status, acknowledged.at)}${
            acknowledged.comment === '' ? null : html`: “${toOneLine(acknowledged.comment)}”`
          }`,
    ],
    ...(silenced.length === 0
      ? []
      : [['Silenced', html`${renderGlyph('muted')} by silence ${[...new Set(silenced)].join(', ')}`] as const]),
  ];
  return html`<dl class="facts">
    ${rows.map(
      ([label, value]) =>
        html`<dt>${label}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** Events, in a line each. */
function folded(status: SystemStatus, alert: OpenAlert): Fragment | null {
  const { number, said, startedAt, acknowledged } = alert;
  if (said.length < 2) return null;
  const taken =
    acknowledged === null
      ? []
      : [{ at: acknowledged.at, tone: 'person' as const, text: `Acknowledged by ${toOneLine(acknowledged.by)}` }];
  const lines = [
    ...said.map((each) => ({ at: each.at ?? startedAt, tone: toWordTone(each), text: saidText(each) })),
    ...taken,
  ];
  return html`<details data-fold="happened-${number}">
    <summary>What happened, ${formatCount(lines.length, 'entry', 'entries')}</summary>
    <ol class="story brief">
      ${lines
        .toSorted((a, b) => a.at - b.at)
        .map(
          ({ at, tone, text }) =>
            html`<li>
              ${renderTime(status, at)}${renderGlyph(tone)}
              <div>${text}</div>
            </li>`,
        )}
    </ol>
  </details>`;
}

/** By the state of the update; planned work and unknown states are `work`. */
export function toWordTone({ state }: Pick<SaidByProvider, 'state'>): VerdictTone {
  if (state === 'investigating' || state === 'identified') return 'crit';
  if (state === 'resolved' || state === 'complete' || state === 'false_alarm') return 'ok';
  return 'work';
}

function saidText({ state, text }: SaidByProvider): string {
  return truncate(
    [...(state === null ? [] : [formatNoticeState(state)]), toOneLine(toReadableText(text))].join(': '),
    160,
  );
}

/** Buttons: acknowledge, details, silence, and the provider's page. */
export function renderAlertActions(context: PageContext, alert: OpenAlert, as: 'main' | 'small' = 'small'): Fragment {
  const { status, viewer } = context;
  const { number, url, acknowledged, parts } = alert;
  const loud = parts.find(({ silencedBy }) => silencedBy === null);
  const mayChange = viewer.whyNotChange === null;
  return html`<div class="acts">
    ${acknowledged === null ? renderAcknowledge(context, number, as) : html`<span>${renderGlyph('person')} ${toOneLine(acknowledged.by)}</span>`}
    <a href="alerts/${number}">Details</a>
    ${mayChange && loud !== undefined ? html`<a href="${muteLink(status, alert, loud)}">Silence…</a>` : null}
    ${renderStatusPageLink(url)}
  </div>`;
}

/** Users acknowledge with one press; others give their name first, or sign in. Null for viewers who may not change anything. */
function renderAcknowledge({ viewer }: PageContext, number: number, as: 'main' | 'small'): Fragment | null {
  if (viewer.whyNotChange !== null) {
    return viewer.maySignIn
      ? html`<a class="button ${as}" href="${signInLink('', `alerts/${number}`)}">Sign in to acknowledge</a>`
      : null;
  }
  if (viewer.name === null) {
    return html`<a class="button ${as}" href="alerts/${number}#take">Acknowledge #${number}…</a>`;
  }
  return html`<form method="post" action="alerts/${number}">
    <button class="${as}">Acknowledge #${number}</button>
  </form>`;
}

/** The form for a silence, filled in with the subjects of this part. */
function muteLink(status: SystemStatus, { title }: Pick<OpenAlert, 'title'>, part: PartView): string {
  return `silences?${createSilenceQuery(createPartMatchers(status, part), toOneLine(title).slice(0, 200))}`;
}
