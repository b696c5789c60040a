/** Receivers with their status, waiting and refused messages, and the last ones sent. */
import { html } from 'hono/html';
import { toOneLine, formatCount, formatList } from '../../core/text/plain.ts';
import type { SystemStatus, ReceiverView } from '../../core/view/system-status.ts';
import type { WaitingReport } from '../../core/view/status-schema.ts';
import type { Proof } from '../../core/outbox/proof.ts';
import type { RecentDeliveries, SentMessage } from '../../core/view/recent-deliveries.ts';
import type { FailedTries, ProofStanding } from '../../core/view/standing/receiver-standing.ts';
import type { VerdictTone } from '../../core/view/verdict/verdict.ts';
import { describeProof } from '../../core/wording/proof-words.ts';
import { parseInstant, formatElapsed } from '../../core/wording/time.ts';
import {
  isBroken,
  renderHour,
  renderDocument,
  renderTime,
  createPageTitle,
  renderToneBadge,
  type PageContext,
} from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderStackTable } from '../look/stack-table.ts';
import { renderFigureList, type Figure } from '../look/stats.ts';

/** Answer to a test just sent. */
export interface TestResult {
  receiver: string;
  /** Proof that its success gives; null without a success. */
  proof: Proof | null;
  said: string;
}

/** Answer to a form; null for none. */
export interface DeliveriesAnswer {
  /** Reason why it failed, in a sentence. */
  trouble?: string;
  test?: TestResult;
}

/** Rows; `linewatch deliveries list` has all. */
const MOST = 200;

export function renderDeliveriesPage(
  context: PageContext,
  waiting: readonly WaitingReport[],
  recent: RecentDeliveries | null,
  answer: DeliveriesAnswer = {},
): Fragment {
  const { status, viewer } = context;
  const { trouble, test } = answer;
  const main = html`${renderTop(status, waiting, recent)}
    <div class="page">
      ${trouble === undefined ? null : html`<p class="says-no full" role="alert">${trouble}</p>`}
      ${test === undefined ? null : renderTestAnswer(test)}
      <section class="card full" aria-labelledby="receivers">
        <div class="head">
          <h2 id="receivers">Receivers</h2>
          <p>a test goes to that receiver alone, and says that it is one</p>
        </div>
        ${receiverTable(context, recent)}
      </section>
      ${
        waiting.length === 0
          ? null
          : html`<section class="card full" aria-labelledby="waiting">
              <div class="head">
                <h2 id="waiting">Waiting</h2>
                <p>${formatCount(waiting.length, 'message')}</p>
              </div>
              ${waitingTable(context, waiting)}
            </section>`
      }
      ${recent === null || recent.last.length === 0 ? null : renderLast(status, recent.last)}
      ${viewer.whyNotChange === null ? null : html`<p class="small soft full">${viewer.whyNotChange}</p>`}
    </div>`;
  return renderDocument(
    context,
    { here: 'deliveries', title: 'Deliveries', tone: createPageTitle(status).tone, still: true },
    main,
  );
}

function renderTop(status: SystemStatus, waiting: readonly WaitingReport[], recent: RecentDeliveries | null): Fragment {
  const { receivers } = status;
  const broken = receivers.filter(isBroken);
  const tone: VerdictTone = receivers.length === 0 || broken.length > 0 ? 'warn' : 'ok';
  const figures = recent === null ? [] : listFigures(recent);
  return html`<section class="verdict ${tone} ${figures.length === 0 ? '' : 'split'}" aria-labelledby="title">
    <div class="says">
      <h1 id="title">${renderGlyph(tone)}<span>${formatHeadline(receivers, broken)}</span></h1>
      ${broken.map((one) => html`<p>${renderTrouble(status, one)}</p>`)}
      ${
        receivers.length === 0
          ? html`<p>Add one to <code>receivers</code> and to <code>route</code>.</p>`
          : broken.length === 0
            ? html`<p>
                ${waiting.length === 0 ? 'Nothing waits.' : `${formatCount(waiting.length, 'message')} under way.`}
              </p>`
            : html`<dl class="todo warn">
                <dt>To do</dt>
                <dd><b>Mend what is named above, then send a test.</b> Waiting messages follow by themselves.</dd>
              </dl>`
      }
    </div>
    ${figures.length === 0 ? null : renderFigureList(figures)}
  </section>`;
}

function formatHeadline(receivers: readonly ReceiverView[], broken: readonly ReceiverView[]): string {
  if (receivers.length === 0) return 'No receiver is configured';
  if (broken.length > 0) {
    return `${broken.length} of ${formatCount(receivers.length, 'receiver')} ${broken.length === 1 ? 'fails' : 'fail'}`;
  }
  return receivers.length === 1 ? '1 receiver works' : `All ${receivers.length} receivers work`;
}

function renderTrouble(status: SystemStatus, receiver: ReceiverView): Fragment {
  const { name, failing, refused, refusal, isRemoved, waiting } = receiver;
  const waits = waiting === 0 ? '' : ` ${formatCount(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'} for it.`;
  if (isRemoved) return html`${name} is no longer configured.${waits}`;
  if (failing !== null) {
    return html`${name} since ${renderTime(status, failing.since)}: ${toOneLine(failing.reason)}.${waits}`;
  }
  return html`${name} refused ${formatCount(refused, 'message')}${refusal === null ? '' : `: ${toOneLine(refusal)}`}.`;
}

function listFigures({ delivered, missed, medianMs, slowestMs }: RecentDeliveries): Figure[] {
  if (delivered + missed === 0) return [];
  return [
    [
      'Sent in 24 h',
      missed === 0 ? String(delivered) : `${delivered} of ${delivered + missed}`,
      missed === 0 ? (delivered === 1 ? 'message' : 'messages') : `${missed} not`,
    ],
    ...(medianMs === null || slowestMs === null
      ? []
      : [
          [
            'Half of them within',
            formatSeconds(medianMs),
            `the slowest took ${formatSeconds(slowestMs)}`,
          ] satisfies Figure,
        ]),
  ];
}

/** `0.4 s`, `2 min`. */
function formatSeconds(ms: number): string {
  return ms < 60_000 ? `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s` : formatElapsed(ms);
}

function renderTestAnswer({ receiver, proof, said }: TestResult): Fragment {
  const answer = html`${toOneLine(said)}.`;
  return proof === null
    ? html`<p class="says-no full" role="status"><b>The test did not reach ${receiver}:</b> ${answer}</p>`
    : html`<p class="says-no full ok" role="status">
        <b>The test to ${receiver} is ${describeProof(proof)}.</b> ${answer}
      </p>`;
}

function receiverTable(context: PageContext, recent: RecentDeliveries | null): Fragment {
  const { receivers } = context.status;
  if (receivers.length === 0) return html`<p>There is none, so nobody is notified.</p>`;
  const mayChange = context.viewer.whyNotChange === null;
  const hasTimes = recent !== null && recent.receivers.size > 0;
  return renderStackTable(
    [
      'Receiver',
      'Status',
      'Last message',
      ...(hasTimes ? ['Median'] : []),
      'Waiting',
      ...(mayChange ? [html`<span class="hidden">Test</span>`] : []),
    ],
    receivers.map((receiver) => receiverRow(context, receiver, hasTimes ? recent : null)),
  );
}

function receiverRow(
  { status, viewer }: PageContext,
  receiver: ReceiverView,
  recent: RecentDeliveries | null,
): Fragment {
  const { name, type, isRemoved, waiting, oldestWaitingAt, refused, refusal, failing, last, tries, weekly } = receiver;
  const [tone, state]: [VerdictTone, string] = isRemoved
    ? ['unk', 'no longer configured']
    : failing !== null
      ? ['warn', 'failing']
      : refused > 0
        ? ['warn', 'refused']
        : ['ok', 'working'];
  const why = failing?.reason ?? refusal;
  const median = recent?.receivers.get(name);
  return html`<tr>
    <th scope="row">${name}<br /><span class="soft small">${type}</span></th>
    <td data-h="is">
      ${renderToneBadge(tone, state)}${why === null ? null : html`<br /><span class="small">${toOneLine(why)}</span>`}${
        tries === null || isRemoved ? null : html`<br /><span class="small soft">${formatTries(status, tries)}</span>`
      }
    </td>
    <td data-h="last">
      ${last === null ? 'nothing yet' : html`${renderTime(status, last.at)}, ${last.proof}`}${weekly === undefined ? null : html`<br /><span class="small ${weekly.state === 'unproved' ? 'state warn' : 'soft'}">${renderWeekly(status, weekly)}</span>`}
    </td>
    ${recent === null ? null : html`<td class="nw" data-h="median">${median === undefined ? null : formatSeconds(median)}</td>`}
    <td data-h="waiting">
      ${waiting + refused}${oldestWaitingAt === null ? null : html` <span class="small soft nw">the oldest for ${formatElapsed(status.now - oldestWaitingAt)}</span>`}
    </td>
    ${viewer.whyNotChange === null ? html`<td class="r">${isRemoved ? null : renderTestForm(name)}</td>` : null}
  </tr>`;
}

function renderWeekly(status: SystemStatus, { state, askedAt, seenAt }: ProofStanding): Fragment {
  const seen = seenAt === null ? html`never seen by people` : html`seen by people ${renderTime(status, seenAt)}`;
  if (state === 'proved' || askedAt === null) return seen;
  return html`${seen}, asked ${renderTime(status, askedAt)}${state === 'unproved' ? ': nobody has answered' : ''}`;
}

/** A retry may come sooner than planned: for a critical message, or on request. */
function formatTries({ now }: SystemStatus, { failures, nextAt }: FailedTries): string {
  const next = nextAt === null || nextAt <= now ? 'again soon' : `again within ${formatElapsed(nextAt - now)}`;
  return `tried ${failures === 1 ? 'once' : `${failures} times`}, ${next}`;
}

function renderTestForm(name: string): Fragment {
  return html`<form method="post" action="deliveries">
    <input type="hidden" name="receiver" value="${name}" />
    <button class="small" name="do" value="test">Send a test<span class="hidden"> to ${name}</span></button>
  </form>`;
}

function waitingTable({ status, viewer }: PageContext, waiting: readonly WaitingReport[]): Fragment {
  const mayChange = viewer.whyNotChange === null;
  const shown = waiting.slice(0, MOST);
  return html`${renderStackTable(
    ['Since', 'Message', 'Receiver', 'Status', ...(mayChange ? [html`<span class="hidden">Action</span>`] : [])],
    shown.map(({ id, receiver, state, alert, title, promised_at: promised, reason }) => {
      const at = parseInstant(promised);
      return html`<tr>
        <td data-h="">${at === null ? null : renderTime(status, at)}</td>
        <th scope="row">
          ${alert === null ? null : html`<a class="quiet" href="alerts/${alert}">#${alert}</a>`} ${toOneLine(title)}
        </th>
        <td data-h="to">${receiver}</td>
        <td data-h="why">
          ${state === 'waiting' ? (reason === null ? 'is sent soon' : toOneLine(reason)) : html`<span class="state warn">${renderGlyph('warn')}${state}</span> ${toOneLine(reason ?? '')}`}
        </td>
        ${mayChange ? html`<td class="r">${choice(receiver, id, state)}</td>` : null}
      </tr>`;
    }),
  )}
  ${waiting.length > shown.length ? html`<p class="soft">and ${waiting.length - shown.length} more</p>` : null}`;
}

function choice(receiver: string, id: string, state: WaitingReport['state']): Fragment {
  return html`<form class="acts" method="post" action="deliveries">
    <input type="hidden" name="receiver" value="${receiver}" /><input type="hidden" name="id" value="${id}" />
    ${state === 'removed' ? null : html`<button class="small" name="do" value="retry">Retry<span class="hidden"> ${id.slice(0, 6)}</span></button>`}
    <button class="small" name="do" value="drop">Drop<span class="hidden"> ${id.slice(0, 6)}</span></button>
  </form>`;
}

function renderLast(status: SystemStatus, last: readonly SentMessage[]): Fragment {
  const titles = new Map([...status.ended, ...status.open].map(({ number, title }) => [number, toOneLine(title)]));
  return html`<section class="card full" aria-labelledby="last">
    <div class="head"><h2 id="last">Last sent</h2></div>
    ${renderStackTable(
      ['At', 'About', 'Receivers', 'After'],
      last.map(
        ({ at, alert, receivers, afterMs }) =>
          html`<tr>
            <td data-h="">${renderHour(status, at)}</td>
            <th scope="row">
              ${alert === null ? 'Summary or information' : html`<a class="quiet" href="alerts/${alert}">#${alert} ${titles.get(alert) ?? ''}</a>`}
            </th>
            <td data-h="to">${formatList(receivers, 4)}</td>
            <td class="nw" data-h="after">${formatSeconds(afterMs)}</td>
          </tr>`,
      ),
    )}
  </section>`;
}
