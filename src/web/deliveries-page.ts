/** Who is told, and what waits or was refused: sent again or given up from here. */
import { html } from 'hono/html';
import { toOneLine, formatCount } from '../core/text/plain.ts';
import type { Picture, ReceiverView } from '../core/view/picture.ts';
import type { VerdictTone } from '../core/view/verdict.ts';
import { instant, span } from '../core/wording/time.ts';
import { page, time, titleOf, toneBadge, type PageContext } from './layout.ts';
import { glyph, type Fragment } from './icons.ts';
import { stackTable } from './stack-table.ts';

/** A message that has not arrived, as it is listed. */
export interface WaitingView {
  id: string;
  receiver: string;
  state: 'waiting' | 'refused' | 'removed';
  alert: number | null;
  title: string;
  promised_at: string | null;
  reason: string | null;
}

/** Rows; `linewatch deliveries list` has all. */
const MOST = 200;

/** `trouble`: why what was asked for last could not be done, in a sentence; null for nothing. */
export function deliveriesPage(
  context: PageContext,
  waiting: readonly WaitingView[],
  trouble: string | null,
): Fragment {
  const { picture, viewer } = context;
  const main = html`<section class="verdict" aria-labelledby="title">
      <div class="says">
        <h1 id="title"><span>Deliveries</span></h1>
        <p>What is promised is delivered, for as long as that takes. What a receiver refuses for good waits for you.</p>
      </div>
    </section>
    <div class="page">
      ${trouble === null ? null : html`<p class="says-no" role="alert">${trouble}</p>`}
      <section aria-labelledby="receivers">
        <div class="head"><h2 id="receivers">Receivers</h2></div>
        <div class="card">${receiverTable(picture)}</div>
      </section>
      <section aria-labelledby="waiting">
        <div class="head">
          <h2 id="waiting">What waits</h2>
          <p>${formatCount(waiting.length, 'message')}</p>
        </div>
        <div class="card">
          ${waiting.length === 0 ? html`<p>Nothing waits, and nothing was refused.</p>` : waitingTable(context, waiting)}
        </div>
        ${viewer.whyNotChange === null || waiting.length === 0 ? null : html`<p class="small soft">${viewer.whyNotChange}</p>`}
      </section>
    </div>`;
  return page(context, { here: 'deliveries', title: 'Deliveries', tone: titleOf(picture).tone, still: true }, main);
}

function receiverTable(picture: Picture): Fragment {
  const { receivers } = picture;
  if (receivers.length === 0) return html`<p>Nobody is told: there is no receiver.</p>`;
  return stackTable(
    ['Receiver', 'How it is', 'Waiting', 'Refused'],
    receivers.map((receiver) => receiverRow(picture, receiver)),
  );
}

function receiverRow(picture: Picture, receiver: ReceiverView): Fragment {
  const { name, type, isRemoved, waiting, oldestWaitingAt, refused, refusal, failing } = receiver;
  const [tone, how]: [VerdictTone, string] = isRemoved
    ? ['unk', 'no longer configured']
    : failing !== null
      ? ['warn', 'failing']
      : refused > 0
        ? ['warn', 'refused']
        : ['ok', 'works'];
  return html`<tr>
    <th scope="row">${name} <span class="soft small">${type}</span></th>
    <td data-h="is">
      ${toneBadge(tone, how)}${failing === null ? null : html`<br /><span class="small">since ${time(picture, failing.since)}: ${toOneLine(failing.reason)}</span>`}
    </td>
    <td data-h="waiting">
      ${waiting}${oldestWaitingAt === null ? null : html` <span class="small soft nw">the oldest for ${span(picture.now - oldestWaitingAt)}</span>`}
    </td>
    <td data-h="refused">
      ${refused}${refusal === null ? null : html` <span class="small soft">${toOneLine(refusal)}</span>`}
    </td>
  </tr>`;
}

function waitingTable({ picture, viewer }: PageContext, waiting: readonly WaitingView[]): Fragment {
  const mayChange = viewer.whyNotChange === null;
  const shown = waiting.slice(0, MOST);
  return html`${stackTable(
    ['Message', 'To', 'Promised', 'Why it waits', ...(mayChange ? [html`<span class="hidden">What to do</span>`] : [])],
    shown.map(({ id, receiver, state, alert, title, promised_at: promised, reason }) => {
      const at = instant(promised);
      return html`<tr>
        <th scope="row">
          ${alert === null ? null : html`<a href="alerts/${alert}">#${alert}</a>`} ${toOneLine(title)}
        </th>
        <td data-h="to">${receiver}</td>
        <td data-h="promised">${at === null ? null : time(picture, at)}</td>
        <td data-h="why">
          ${state === 'waiting' ? (reason === null ? 'it is its turn soon' : toOneLine(reason)) : html`<span class="state warn">${glyph('warn')}${state}</span> ${toOneLine(reason ?? '')}`}
        </td>
        ${mayChange ? html`<td>${choice(receiver, id, state)}</td>` : null}
      </tr>`;
    }),
  )}
  ${waiting.length > shown.length ? html`<p class="soft">and ${waiting.length - shown.length} more</p>` : null}`;
}

function choice(receiver: string, id: string, state: WaitingView['state']): Fragment {
  return html`<form class="acts" method="post" action="deliveries">
    <input type="hidden" name="receiver" value="${receiver}" /><input type="hidden" name="id" value="${id}" />
    ${state === 'refused' ? html`<button name="do" value="retry">Send again</button>` : null}
    <button name="do" value="drop">Give up ${id.slice(0, 6)}</button>
  </form>`;
}
