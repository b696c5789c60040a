/** Planned work that is over: announced and real times, and the phones that were lost meanwhile; and all work as CSV. */
import { html } from 'hono/html';
import { formatCsv, type Cell } from '../../core/text/csv.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { formatCount, formatInteger, formatList } from '../../core/text/plain.ts';
import type { DaysView } from '../../core/report/days.ts';
import { isCancelled, type PastWork, type WorkLoss } from '../../core/report/past-work.ts';
import type { MaintenanceView, SystemStatus } from '../../core/view/system-status.ts';
import { formatWorkTitle } from '../../core/wording/notices/maintenance-wording.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { formatHourText, formatMaintenanceWindow } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { renderStackTable } from '../look/stack-table.ts';
import { listComingWork } from './maintenance-list.ts';

/** Others are in the export. */
const MOST_DONE = 30;
const MOST_PLACES = 3;

/** Work that is over, from the state, the history or both. */
interface DoneWork extends Pick<PastWork, 'source' | 'subject' | 'beginsAt' | 'endsAt' | 'beganAt' | 'endedAt'> {
  number: number | null;
  isCancelled: boolean;
  /** Null if the phones that depend on the page were not read meanwhile. */
  losses: readonly WorkLoss[] | null;
}

/** Latest first. The history has ninety days of it, the state a month. */
function listDoneWork(status: SystemStatus, days: DaysView | null): DoneWork[] {
  const coming = new Set(listComingWork(status));
  const known = status.maintenance.filter((work) => !coming.has(work));
  const works = days?.works ?? [];
  const byNumber = new Map(works.map((work) => [work.number, work]));
  const numbers = new Set(known.map(({ number }) => number));
  const done = [
    ...known.map((work): DoneWork => {
      const measured = byNumber.get(work.number);
      const losses = measured === undefined ? null : listOwnLosses(status, measured);
      return { ...work, isCancelled: work.phase === 'cancelled', losses };
    }),
    ...works
      .filter(({ number }) => number === null || !numbers.has(number))
      .map((work): DoneWork => ({ ...work, isCancelled: isCancelled(work), losses: listOwnLosses(status, work) })),
  ];
  return done.toSorted((a, b) => findBeginning(b) - findBeginning(a));
}

function findBeginning({ beganAt, beginsAt, endedAt }: DoneWork): number {
  return beginsAt ?? beganAt ?? endedAt ?? 0;
}

/** Losses at sites whose lines depend on the page of the work; null if no account with such sites was read. */
function listOwnLosses({ sources }: SystemStatus, { source, losses, measured }: PastWork): WorkLoss[] | null {
  const upon = sources.flatMap((account) => {
    if (account.type !== 'account' || !measured.includes(account.name)) return [];
    const { name, statusPages = [], sitePages } = account;
    const isWhole = statusPages.includes(source);
    const isAny = isWhole || [...(sitePages ?? [])].some(([, pages]) => pages.includes(source));
    return isAny ? [{ name, isWhole, sitePages }] : [];
  });
  if (upon.length === 0) return null;
  return losses.filter(({ account, site }) =>
    upon.some(
      ({ name, isWhole, sitePages }) =>
        name === account && (isWhole || sitePages?.get(site)?.includes(source) === true),
    ),
  );
}

/** Null without any. */
export function renderDoneWork(status: SystemStatus, days: DaysView | null): Fragment | null {
  const done = listDoneWork(status, days);
  if (done.length === 0) return null;
  const off = done.filter((work) => work.isCancelled).length;
  const timed = done.filter((work) => !work.isCancelled && work.endsAt !== null && work.endedAt !== null);
  const inTime = timed.filter((work) => countOverrun(work) === 0).length;
  const counts = [
    ...(timed.length === 0 ? [] : [`${inTime} of ${timed.length} ended within the window`]),
    ...(off === 0 ? [] : [`${off} called off`]),
  ];
  return html`<section class="card" aria-labelledby="done" id="done-work" data-live>
    <div class="head">
      <h2 id="done">Done in ${days === null ? 30 : 90} days</h2>
      <p>${counts.join(', ')}</p>
    </div>
    ${renderStackTable(
      ['Announced', 'Work', 'Took', 'Phones lost'],
      done.slice(0, MOST_DONE).map((work) => renderRow(status, work)),
    )}
    ${done.length > MOST_DONE ? html`<p class="soft">and ${formatInteger(done.length - MOST_DONE)} more, in the export</p>` : null}
  </section>`;
}

function renderRow(status: SystemStatus, work: DoneWork): Fragment {
  const { number, source } = work;
  const subject = formatWorkTitle(work.subject);
  return html`<tr>
    <td class="nw" data-h="">${formatMaintenanceWindow(status, work.beginsAt, work.endsAt)}</td>
    <th scope="row">
      ${number === null ? subject : html`<a class="quiet" href="alerts/${number}">${subject}</a>`}
      <small class="soft">${findSourceTitle(status, source)}</small>
    </th>
    <td data-h="${work.isCancelled ? '' : 'took'}">${renderTaken(status, work)}</td>
    <td data-h="phones lost">${renderLosses(status, work)}</td>
  </tr>`;
}

/** Less than a minute is jitter of the provider's automation. */
function countOverrun({ endsAt, endedAt }: Pick<DoneWork, 'endsAt' | 'endedAt'>): number {
  if (endsAt === null || endedAt === null) return 0;
  return endedAt - endsAt < MINUTE ? 0 : endedAt - endsAt;
}

/** `1 h 50 min, 15:20–17:10`; the times as the provider published them. */
function renderTaken(status: SystemStatus, work: DoneWork): Fragment {
  const { beganAt, endedAt } = work;
  if (work.isCancelled) return html`<span class="soft">called off</span>`;
  if (beganAt === null || endedAt === null) return html`<span class="soft">not published</span>`;
  const late = countOverrun(work);
  return html`<b>${formatElapsed(endedAt - beganAt)}</b>${late === 0 ? null : html`, ${formatElapsed(late)} over`}
    <small class="soft">${formatHourText(status, beganAt)}–${formatHourText(status, endedAt)}</small>`;
}

function renderLosses(status: SystemStatus, { losses, isCancelled: isOff }: DoneWork): Fragment {
  if (isOff) return html``;
  if (losses === null) return html`<span class="soft">not measured</span>`;
  if (losses.length === 0) return html`none`;
  return html`<b>${formatInteger(sumPhones(losses))}</b>
    <small class="soft">${formatList(listPlaces(status, losses), MOST_PLACES)}</small>`;
}

function sumPhones(losses: readonly WorkLoss[]): number {
  return losses.reduce((sum, { phones }) => sum + phones, 0);
}

/** `Ironbark Hardware at Footscray`; the site alone where one account is watched. */
function listPlaces(status: SystemStatus, losses: readonly WorkLoss[]): string[] {
  const isOne = status.sources.filter(({ type }) => type === 'account').length === 1;
  return losses.map(({ account, site }) => {
    const customer = findSourceTitle(status, account);
    if (site === '') return isOne ? 'address not known' : customer;
    return isOne ? site : `${customer} at ${site}`;
  });
}

const COLUMNS = [
  'page',
  'work',
  'phase',
  'announced_from',
  'announced_until',
  'began',
  'ended',
  'overrun_seconds',
  'phones_lost',
  'lost_at',
];

/** Work to come, under way and done, latest first; times are UTC. */
export function formatMaintenanceCsv(status: SystemStatus, days: DaysView): string {
  const coming = listComingWork(status).toReversed();
  return formatCsv([
    COLUMNS,
    ...coming.map((work) => toCells(status, work, work.phase, null)),
    ...listDoneWork(status, days).map((work) =>
      toCells(status, work, work.isCancelled ? 'cancelled' : 'ended', work.isCancelled ? null : work.losses),
    ),
  ]);
}

function toCells(
  status: SystemStatus,
  work: Pick<MaintenanceView, 'source' | 'subject' | 'beginsAt' | 'endsAt' | 'beganAt' | 'endedAt'>,
  phase: string,
  losses: readonly WorkLoss[] | null,
): Cell[] {
  const times = [work.beginsAt, work.endsAt, work.beganAt, work.endedAt];
  const lost = (losses ?? []).map((loss) => {
    return `${listPlaces(status, [loss])[0] ?? ''}, ${formatCount(loss.phones, 'phone')}`;
  });
  return [
    findSourceTitle(status, work.source),
    work.subject,
    phase,
    ...times.map((at) => (at === null ? null : new Date(at).toISOString())),
    phase === 'ended' && work.endedAt !== null ? countOverrun(work) / 1000 : null,
    losses === null ? null : sumPhones(losses),
    lost.join('; '),
  ];
}
