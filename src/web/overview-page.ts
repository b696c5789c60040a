/** The page to look at: how everything stands, the worst first. */
import { html } from 'hono/html';
import { capital, listed as few, oneLine, plural } from '../core/text/plain.ts';
import { span, windowText } from '../core/wording/time.ts';
import { heldText } from '../core/wording/why.ts';
import { SEVERITIES } from '../core/transition/kind.ts';
import { links, listed, names, outward, page, section, since, time, words, type Fragment } from './frame.ts';
import type {
  OpenAlert,
  EndedAlert,
  MaintenanceView,
  Picture,
  PartView,
  ReceiverView,
  SourceView,
} from '../core/view/picture.ts';
import { notReady } from '../core/view/readiness.ts';
import { silenceLine } from './silences.ts';
import { sourceList } from './source-list.ts';

/** As many of one kind as the top of the page names; what is open is to be seen without scrolling. */
const MOST_NAMED = 3;
const MOST_REASONS = 5;

export interface OverviewOptions {
  /** Whether the page loads again by itself. */
  refreshes: boolean;
  refreshSeconds: number;
  /** Whether silences can be made from here. */
  mayMute: boolean;
}

export function overviewPage(picture: Picture, { refreshes, refreshSeconds, mayMute }: OverviewOptions): Fragment {
  const { sources, maintenance, ended, receivers, silences } = picture;
  const open = begun(picture);
  const planned = maintenance.filter(({ phase }) => phase === 'to come' || phase === 'under way');
  const top = html`${verdict(picture)}
    <p class="soft">
      As of ${time(picture, picture.now)}.
      ${
        refreshes
          ? html`Loads again every ${refreshSeconds} s; <a href="./?refresh=off">stop that</a>.`
          : html`<a href="./">Load again every ${refreshSeconds} s</a>.`
      }
    </p>`;
  const main = html`<div class="columns">
      <div>
        ${section(
          'open',
          'Open now',
          open.length === 0
            ? html`<p class="card">
                ${blindIn(sources).length === 0 ? 'Nothing is open.' : 'Nothing is known to be open.'}
              </p>`
            : html`${open.map((alert) => alertCard(picture, alert, mayMute))}`,
        )}
        ${section(
          'planned',
          'Planned maintenance',
          html`${
              planned.length === 0
                ? html`<p class="card">None is announced.</p>`
                : planned.map((work) => maintenanceCard(picture, work))
            }
            <p class="soft"><a href="calendar.ics">Calendar to subscribe to</a></p>`,
        )}
      </div>
      <div>
        ${section('sources', 'Sources', html`${sourceList(picture)}`)}
        ${section(
          'deliveries',
          'Deliveries',
          receivers.length === 0
            ? html`<p class="card">Nobody is told: there is no receiver.</p>`
            : html`${receivers.map((receiver) => receiverCard(picture, receiver))}`,
        )}
        ${section(
          'silences',
          'Silences',
          html`<div class="card">
            ${listed(
              silences.map((silence) => silenceLine(picture, silence)),
              'Nothing is muted.',
            )}
            <p><a href="silences">${mayMute ? 'Mute something, or end a silence' : 'More about silences'}</a></p>
          </div>`,
        )}
      </div>
    </div>
    ${section(
      'ended',
      'Ended in the last 24 hours',
      html`<div class="card">
        ${listed(
          ended.map((alert) => endedLine(picture, alert)),
          'Nothing.',
        )}
      </div>`,
    )}`;
  const count = open.length === 0 ? 'Nothing open' : `${open.length} open`;
  return page(picture, { here: 'overview', title: count }, top, main);
}

/** What is open and has begun: planned work that is to come stands in a section of its own. */
function begun({ open }: Picture): OpenAlert[] {
  return open.filter(({ isToCome }) => !isToCome);
}

/** Those of which it is not known how they are doing. */
function blindIn(sources: readonly SourceView[]): SourceView[] {
  return sources.filter(({ lastReadAt, unreachable }) => lastReadAt === null || unreachable);
}

function verdict(picture: Picture): Fragment {
  const { sources } = picture;
  const open = begun(picture);
  const blind = blindIn(sources).map(({ name }) => name);
  const counts = SEVERITIES.toReversed().flatMap((severity) => {
    const count = open.filter((alert) => alert.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const parts = [
    ...(open.length === 0 ? [] : [`${plural(open.length, 'alert')} open: ${counts.join(', ')}`]),
    ...(blind.length === 0
      ? []
      : [`not known how ${few(blind, MOST_NAMED)} ${blind.length === 1 ? 'is' : 'are'} doing`]),
  ];
  const worst = SEVERITIES.findLast((severity) => open.some((alert) => alert.severity === severity));
  const tone = worst === 'critical' ? worst : blind.length > 0 ? 'warning' : (worst ?? 'good');
  return html`<p class="verdict ${tone}">${parts.length === 0 ? 'Nothing is open' : capital(parts.join(' · '))}</p>
    ${notDone(picture)}`;
}

/** What Linewatch cannot do. While something is open that comes first: on a phone this would push it out of sight. */
function notDone(picture: Picture): Fragment | null {
  const reasons = notReady(picture);
  if (reasons.length === 0) return null;
  const more = reasons.length - MOST_REASONS;
  return html`<details class="card alert warning" ${begun(picture).length === 0 ? html`open` : null}>
    <summary>Linewatch cannot do all of its work: ${plural(reasons.length, 'reason')}</summary>
    <ul>
      ${reasons.slice(0, MOST_REASONS).map((reason) => html`<li>${reason}</li>`)}
      ${more > 0 ? html`<li>and <a href="readyz">${more} more</a></li>` : null}
    </ul>
  </details>`;
}

/** Links in messages lead to its id. */
function alertCard(picture: Picture, alert: OpenAlert, mayMute: boolean): Fragment {
  const { number, also, severity, title, why, notTold, state, startedAt, affected, url, sources, parts } = alert;
  const loud = parts.filter(({ silencedBy }) => silencedBy === null);
  return html`<article class="card alert ${severity}" id="alert-${number}">
    <span class="badge">${severity}</span>
    <span class="soft"
      >#${number}${also.map((part) => html`, <span id="alert-${part}">#${part}</span>`)} ·
      ${few(sources, MOST_NAMED)}${state === null ? null : ` · ${state}`}</span
    >
    <h3>${oneLine(title) || 'without a title'}</h3>
    <p><span class="soft">Since</span> ${since(picture, startedAt)}</p>
    ${why === null ? null : html`<p><span class="soft">Why this cause</span> ${oneLine(why)}</p>`}
    ${notTold === null || notTold === 'silenced' ? null : html`<p><span class="soft">People are not told of it now</span> ${heldText(notTold)}</p>`}
    ${names('Affects', affected)} ${words(picture, alert.words)}
    ${parts.map(({ source, silencedBy }) =>
      silencedBy === null
        ? null
        : html`<p class="late">${parts.length === 1 ? 'Muted' : `${source} is muted`} by silence ${silencedBy}</p>`,
    )}
    ${links([
      outward('Provider’s notice', url),
      ...(mayMute ? loud : []).map(
        (part) =>
          html`<a href="${muteLink(picture, alert, part)}">${parts.length === 1 ? 'Mute' : `Mute ${part.source}`}</a>`,
      ),
    ])}
  </article>`;
}

/** The form, filled in with what this part of the alert is about. */
function muteLink({ sources }: Picture, { title }: OpenAlert, { source, affected, narrower }: PartView): string {
  const query = new URLSearchParams({ source, comment: oneLine(title).slice(0, 200) });
  // Commas part values, so a name that holds one cannot be written here.
  const named = affected.slice(0, 5).filter((name) => !name.includes(','));
  const isPage = sources.some(({ name, type }) => name === source && type === 'status page');
  if (isPage && named.length > 0 && named.length === affected.length) query.set('component', named.join(', '));
  if (narrower !== null) query.set('other', `${narrower.key}=${narrower.values.join(',')}`);
  return `silences?${query.toString()}`;
}

function maintenanceCard(picture: Picture, work: MaintenanceView): Fragment {
  const { number, source, subject, phase, beginsAt, endsAt, affected, url } = work;
  const opens = phase === 'to come' ? html` id="alert-${number}"` : null;
  const { timezone, now } = picture;
  return html`<article class="card" ${opens}>
    <span class="badge info">${phase}</span> <span class="soft">#${number} · ${source}</span>
    <h3>${oneLine(subject) || 'Planned maintenance'}</h3>
    <p>
      ${windowText(beginsAt, endsAt, timezone, now)}${
        beginsAt !== null && beginsAt > now ? html` <span class="soft">(in ${span(beginsAt - now)})</span>` : null
      }
    </p>
    ${names('Affects', affected)} ${phase === 'to come' ? words(picture, work.words) : null}
    ${links([outward('Provider’s notice', url)])}
  </article>`;
}

function receiverCard(picture: Picture, receiver: ReceiverView): Fragment {
  const { name, type, isRemoved, waiting, oldestWaitingAt, refused, refusal, failing } = receiver;
  const isWell = failing === null && refused === 0 && !isRemoved;
  const how = isRemoved ? 'no longer configured' : failing !== null ? 'failing' : refused > 0 ? 'refused' : 'works';
  return html`<article class="card">
    <div class="head">
      <h3>${name}</h3>
      <span class="badge ${isWell ? 'good' : 'warning'}">${how}</span>
    </div>
    <p class="soft">
      ${type} ·
      ${waiting === 0 ? 'nothing waits' : `${plural(waiting, 'message')} waiting`}${
        oldestWaitingAt === null ? null : `, the oldest for ${span(picture.now - oldestWaitingAt)}`
      }
    </p>
    ${failing === null ? null : html`<p class="bad">Failing since ${since(picture, failing.since)}: ${oneLine(failing.reason)}</p>`}
    ${refused === 0 ? null : html`<p class="bad">${plural(refused, 'message')} refused for good${refusal === null ? null : `: ${oneLine(refusal)}`}</p>`}
  </article>`;
}

function endedLine(picture: Picture, alert: EndedAlert): Fragment {
  const { number, severity, sources, title, startedAt, endedAt, state, url } = alert;
  return html`<div id="alert-${number}">
    <span class="badge">${severity}</span>
    <span class="soft">#${number} · ${few(sources, MOST_NAMED)}${state === null ? null : ` · ${state}`}</span><br />
    <strong>${oneLine(title) || 'without a title'}</strong><br />
    <span class="soft">Ended ${since(picture, endedAt)}, lasted ${span(endedAt - startedAt)}</span>
    ${outward('Provider’s notice', url)}
  </div>`;
}
