/** The current status as lines for people: the output of `status`. */
import { formatToggle } from '../../core/wording/phones/toggle.ts';
import { explainHold } from '../../core/wording/phones/why.ts';
import { CLOCKS_DIFFER_MS, describeDifference } from '../../core/engine/member-trouble.ts';
import { ACCOUNT_PARTS, type AccountPart } from '../../core/observation/listing.ts';
import { SECOND } from '../../core/text/duration.ts';
import { formatRest, capitalize, formatList, toOneLine, formatCount, formatState } from '../../core/text/plain.ts';
import type { StatusReport } from '../../core/view/status-report.ts';
import type {
  AccountReport,
  DeliveryReport,
  OpenReport,
  SiteReport,
  SourceReport,
  ToggleReport,
} from '../../core/view/status-schema.ts';
import type { AlertReport } from '../../core/view/story/alert-schema.ts';
import { formatBoxes, formatUnreadReports } from '../../core/view/standing/calls-view.ts';
import { formatImportProgress } from '../../core/view/standing/import-progress.ts';
import { SEVERITIES } from '../../core/transition/kind.ts';
import { formatStarting } from '../../core/view/verdict/known.ts';
import { describeLeader } from '../../core/view/readiness.ts';
import { formatAway, describeAway } from '../../core/wording/phones/phone-words.ts';
import { parseInstant, formatElapsed } from '../../core/wording/time.ts';
import { formatReaderSince, formatReaderTime, type ReaderTime } from '../time-text.ts';

/** `status --json` has all of them. */
const NAMED_COMPONENTS = 12;
const NAMED_PHONES = 12;
/** More names would make a line unreadable. */
const NAMED_SOURCES = 3;

/**
 * The verdict with the sums, the answering daemon, advice, then each source. `stateDir` is the place where a daemon was
 * expected: a wrong one is the likeliest reason to find none.
 */
export function formatStatus(report: StatusReport, reader: ReaderTime, stateDir: string): string[] {
  return [
    sumLine(report),
    headLine(report, reader, stateDir),
    ...verdictLines(report.verdict),
    ...formatMembers(report.members),
    ...formatShards(report),
    ...report.sources.flatMap((source) => ['', ...sourceLines(source, reader, report)]),
    ...report.accounts.flatMap((account) => ['', ...watchedAccountLines(account, reader, report)]),
    ...ownLines(report, reader),
    '',
    ...report.deliveries.map((delivery) => deliveryLine(delivery, reader)),
  ];
}

/** `37 of 59 phones offline; 2 open: 1 critical, 1 warning; 59 phones: 22 registered`: starts like the page. */
function sumLine({ running, starting, verdict, sources, accounts, linewatch }: StatusReport): string {
  const open = [...sources, ...accounts, ...(linewatch === undefined ? [] : [linewatch])].flatMap(
    ({ alerts }) => alerts,
  );
  const bySeverity = SEVERITIES.toReversed().flatMap((severity) => {
    const count = open.filter((alert) => alert.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const counts = accounts.flatMap(({ phones }) => phones ?? []);
  const [total, registered] = (['total', 'registered'] as const).map((of) =>
    counts.reduce((sum, phones) => sum + phones[of], 0),
  );
  const isOld =
    !running || accounts.some(({ phones, unread = [] }) => phones !== null && unread.includes('registrations'));
  const none = starting === undefined ? 'nothing is open' : 'nothing is known to be open';
  const blind = [...sources, ...accounts].filter((source) => source.blind.length > 0).length;
  const parts = [
    ...new Set([
      ...(verdict === undefined ? [] : [verdict.headline]),
      ...(starting === undefined ? [] : [formatStarting(starting)]),
    ]),
    open.length === 0 ? none : `${open.length} open: ${bySeverity.join(', ')}`,
    ...(counts.length === 0
      ? []
      : [`${formatCount(total ?? 0, 'phone')}: ${registered} registered${formatReadingGap(isOld)}`]),
    ...(blind === 0 ? [] : [`${formatCount(blind, 'source')} cannot be read`]),
  ];
  return capitalize(parts.join('; '));
}

/** Offline phones by cause, and advice. */
function verdictLines(verdict: StatusReport['verdict']): string[] {
  if (verdict === undefined) return [];
  return [...verdict.split, ...verdict.todo.map((each) => `To do: ${each}`)].map((line) => `  ${line}`);
}

function headLine(
  { instance, running, started_at, members }: StatusReport,
  reader: ReaderTime,
  stateDir: string,
): string {
  if (running) return `Linewatch ${instance} is running, started ${formatReaderTime(started_at, reader)}.`;
  if (members === undefined) {
    return `No daemon is running for ${instance} on ${stateDir}; this is what was last committed there.`;
  }
  const { self, leader, cut_off: isCutOff = false, refusal, all } = members;
  if (isCutOff && refusal !== undefined) return `${self} stands by and waits for its database: ${refusal}`;
  const leads = describeLeader({ leader, isCutOff });
  return all.some(({ name, standing }) => name === self && STANDS_BY.has(standing))
    ? `${self} stands by; ${leads}. This is what was last committed to the database.`
    : `No daemon is running here for ${instance}; ${leads}. This is what was last committed to the database.`;
}

/** A line each. */
export function formatMembers(members: StatusReport['members']): string[] {
  return (members?.all ?? []).map(
    ({
      name,
      version,
      standing,
      epoch,
      silent_s: silent,
      lag_ms: lag = null,
      clock_ahead_s: ahead,
      share,
      configuration,
    }) => {
      const clock =
        Math.abs(ahead) * SECOND < CLOCKS_DIFFER_MS
          ? ''
          : `, its clock is ${Math.abs(ahead)} s ${ahead < 0 ? 'behind' : 'ahead'}`;
      const led = epoch === null ? '' : ` (epoch ${epoch})`;
      const heard = standing === 'leading' ? `renewed ${silent} s ago` : `heard of ${silent} s ago`;
      const answers = lag === null ? '' : `, lag ${lag} ms`;
      const rate = share === undefined || share === 1 ? '' : `, ${Math.round(share * 100)} % of its requests`;
      const other = configuration === undefined ? '' : `; another configuration: ${describeDifference(configuration)}`;
      return `  ${name}: ${standing}${led}, ${heard}${rate}${answers}, version ${version}${clock}${other}`;
    },
  );
}

/** With several shards: a line for each. */
export function formatShards(report: Pick<StatusReport, 'members' | 'accounts'>): string[] {
  return (report.members?.groups ?? []).map(({ group, sources, holder, epoch, renewed_s: renewed }) => {
    const what =
      sources.length === 0
        ? 'nothing to watch'
        : formatList(
            sources.map((source) => calledIn(report, source)),
            NAMED_SOURCES,
          );
    const led = holder === null ? 'nobody leads it' : `led by ${holder} (epoch ${epoch}), renewed ${renewed} s ago`;
    return `  shard ${group}: ${led}; ${what}`;
  });
}

const STANDS_BY: ReadonlySet<string> = new Set(['standing by', 'too old']);

/** Name of a source for people. */
function calledIn({ accounts }: Pick<StatusReport, 'accounts'>, source: string): string {
  return accounts.find(({ name }) => name === source)?.called ?? source;
}

function sourceLines(source: SourceReport, reader: ReaderTime, report: StatusReport): string[] {
  const { running } = report;
  const page =
    source.page === null
      ? (describeStateless(source) ?? 'not read yet')
      : `${source.page.name}: ${formatState(source.page.state)}`;
  const then = formatReadingGap(!running || source.unread === true);
  const { total, not_operational: down } = source.components;
  const shown = down.slice(0, NAMED_COMPONENTS).map(({ name, state }) => `  ${name}: ${formatState(state)}`);
  return [
    `${source.name} (${source.base_url})`,
    `  ${[page, ...readWords(source, reader, running, source.page !== null)].join('; ')}`,
    ...source.blind.map((why) => `  cannot be read: ${why}`),
    total === 0
      ? '  no components known'
      : `  ${formatCount(total, 'component')}, ${down.length === 0 ? `all operational${then}` : `${down.length} not operational${then}:`}`,
    ...shown.map((line) => `  ${line}`),
    ...formatRest(down.length - shown.length).map((line) => `    ${line}`),
    ...(source.past_notices === undefined ? [] : [`  ${formatImportProgress(source.past_notices)}`]),
    ...openLines(source, reader, report),
  ];
}

function watchedAccountLines(account: AccountReport, reader: ReaderTime, report: StatusReport): string[] {
  const { running } = report;
  return [
    `${account.called ?? account.name} (${account.base_url})`,
    ...readWords(account, reader, running, account.phones !== null).map((words) => `  ${words}`),
    ...formatAccount(running ? account : { ...account, unread: ACCOUNT_PARTS }, reader.now),
    ...callLines(account, reader),
    ...openLines(account, reader, report),
  ];
}

function callLines({ calls }: AccountReport, { timezone, now }: ReaderTime): string[] {
  if (calls === undefined) return [];
  return [
    ...formatUnreadReports(calls, timezone, now).map((line) => `  calls: ${line}`),
    ...formatBoxes(calls, timezone, now).map((line) => `  voicemail: ${line}`),
  ];
}

/** A source that could not be read is unknown now, as is every source without a daemon. */
export function formatReadingGap(isUnread: boolean): string {
  return isUnread ? ' when last read' : '';
}

/** Empty without a problem. */
function ownLines(report: StatusReport, reader: ReaderTime): string[] {
  const { alerts = [], unsaved = [] } = report.linewatch ?? {};
  if (alerts.length === 0 && unsaved.length === 0) return [];
  return [
    '',
    'Linewatch itself',
    ...unsaved.map((document) => `  cannot be saved: the state of ${document}`),
    ...openLines({ alerts }, reader, report),
  ];
}

/** For a page that was read and has no overall state, such as a feed; null for any other. */
export function describeStateless({
  last_read_at: readAt,
  blind,
}: Pick<SourceReport, 'last_read_at' | 'blind'>): string | null {
  return readAt === null || blind.length > 0 ? null : 'shows no state of the page as a whole';
}

/** `last read Tue 24 Mar 14:43 AEDT (4 s ago)`; empty before the first reading, which is shown beside it. */
function readWords(
  { blind, last_read_at: at }: Pick<SourceReport, 'blind' | 'last_read_at'>,
  reader: ReaderTime,
  running: boolean,
  isKept: boolean,
): string[] {
  if (!running) return [`last change ${formatReaderTime(at, reader)}`];
  if (at === null) return isKept || blind.length > 0 ? ['not read in full since the start'] : [];
  // Some parts may have been read more recently than the failed one.
  return [`${blind.length === 0 ? 'last read' : 'last read in full'} ${formatReaderTime(at, reader)}`];
}

function openLines(
  {
    alerts,
    takes_part_in: elsewhere = [],
    last_read_at: readAt = '',
  }: OpenReport & Partial<Pick<SourceReport, 'last_read_at'>>,
  reader: ReaderTime,
  report: Pick<StatusReport, 'accounts'>,
): string[] {
  const lines = [
    ...alerts.flatMap((alert) => {
      const { number, also = [], severity, title, started_at: at, sources: [, ...others] = [] } = alert;
      const beside = [...also.map((part) => `#${part}`), ...others.map((source) => calledIn(report, source))];
      const together = beside.length === 0 ? '' : ` (with ${formatList(beside, NAMED_SOURCES)})`;
      return [
        `    #${number} ${severity}: ${title}${together}, ${formatReaderSince(at, reader)}`,
        ...whyLines(alert, reader).map((line) => `      ${line}`),
      ];
    }),
    ...elsewhere.map(({ number, shown_at: source }) => `    takes part in #${number}, see ${calledIn(report, source)}`),
  ];
  if (lines.length === 0) return [readAt === null ? '  nothing known to be open' : '  nothing open'];
  return ['  open:', ...lines];
}

/** Below the line of its alert. */
function whyLines(alert: AlertReport, reader: ReaderTime): string[] {
  const { why, acknowledged } = alert;
  return [
    ...(why === undefined ? [] : [`why: ${why}`]),
    ...(acknowledged === undefined ? [] : [formatAcknowledgement(acknowledged)]),
    ...formatHeld(alert, reader),
  ];
}

/** Reason and time of a held notification; empty for an acknowledged alert, which is shown beside it. */
export function formatHeld(
  { not_told: reason, due_at: dueAt = null }: Pick<AlertReport, 'not_told' | 'due_at'>,
  { now }: ReaderTime,
): string[] {
  return reason === undefined || reason === 'acknowledged'
    ? []
    : [explainHold({ reason, dueAt: parseInstant(dueAt) }, now)];
}

/** `alex has it: “on the phone with the carrier”`. */
export function formatAcknowledgement({ by, comment }: NonNullable<AlertReport['acknowledged']>): string {
  return `${toOneLine(by)} has it${toOneLine(comment) === '' ? '' : `: “${toOneLine(comment)}”`}`;
}

function deliveryLine(delivery: DeliveryReport, reader: ReaderTime): string {
  const waiting =
    delivery.waiting === 0
      ? 'nothing waits'
      : `${delivery.waiting} waiting, the oldest ${formatReaderSince(delivery.oldest_waiting_at, reader)}`;
  const refused = delivery.refused === 0 ? '' : `; ${delivery.refused} refused for good`;
  const failing =
    delivery.failing === null
      ? ''
      : `; failing ${formatReaderSince(delivery.failing.since, reader)}: ${delivery.failing.reason}`;
  const removed = delivery.removed === true ? ' (no longer configured)' : '';
  return `receiver ${delivery.receiver}${removed}: ${waiting}${refused}${failing}`;
}

/** `now` in epoch milliseconds. */
export function formatAccount(
  account: Omit<AccountReport, 'unread'> & { unread?: readonly AccountPart[] },
  now: number,
): string[] {
  const { phones, toggles, unread = [] } = account;
  const then = formatReadingGap(unread.includes('registrations'));
  return [
    ...account.blind.map((why) => `  cannot be read: ${why}`),
    phones === null
      ? '  phones not read yet'
      : `  ${phones.registered} of ${phones.total} phones registered${then}${formatAway(phones)}`,
    ...(phones?.sites ?? []).map((site) => siteLine(site, now)),
    ...(toggles ?? []).map((toggle) => toggleLine(toggle, unread.includes('toggles'))),
  ];
}

/** `Richmond: 12 of 14, offline: 101 Reception (for 6 min), …`. */
function siteLine({ site, registered, total, missing, away = 0, usual }: SiteReport, now: number): string {
  const named = missing.slice(0, NAMED_PHONES).map(({ extension, name, since }) => {
    const known = name === null || name === extension ? extension : `${extension} ${name}`;
    return since === null ? known : `${known} (for ${formatElapsed(Math.max(0, now - Date.parse(since)))})`;
  });
  const all = [named.join(', '), ...formatRest(missing.length - NAMED_PHONES)].join(' ');
  const gone = missing.length === 0 ? '' : `, offline: ${all}`;
  const expected = usual === undefined ? '' : `; ${describeAway({ count: away, ...usual }, ' more')}`;
  return `  at ${site ?? 'an unknown address'}: ${registered} of ${total}${gone}${expected}`;
}

function toggleLine({ name, status, expected }: ToggleReport, isUnread: boolean): string {
  if (isUnread) return `  toggle ${name}: ${formatToggle(status)} when last read`;
  const should =
    expected === null ? '' : expected === status ? ', as it should be' : `, should be ${formatToggle(expected)}`;
  return `  toggle ${name}: ${formatToggle(status)}${should}`;
}
