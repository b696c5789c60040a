/** Values of a change as text: before and after. The `history` command, an alert's timeline and the page show them. */
import type { Kind } from '../transition/kind.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import type { NoticeDetails } from '../transition/details.ts';
import { truncate, formatList, toOneLine, formatCount } from '../text/plain.ts';
import { SECOND } from '../text/duration.ts';
import { toReadableText } from '../text/markup.ts';
import {
  formatArrow,
  formatComponentState,
  isKnownComponentState,
  formatNoticeState,
  addVendorWord,
} from './state-words.ts';
import { findAffectedName } from './notices/notice-wording.ts';
import { formatElapsed } from './time.ts';
import { formatToggle } from './phones/toggle.ts';
import { cleanName, cleanTitle, formatWindow, type Setting } from './wording.ts';

/** Null for a side without a value. */
export interface ChangeWords {
  from: string | null;
  to: string | null;
}

type Worders = { [K in Kind]: (transition: TransitionOf<K>, setting: Setting) => ChangeWords };

function percent(value: number | null): string | null {
  return value === null ? null : `${value} % of the limit`;
}

function countOf(count: number | null, noun: string): string | null {
  return count === null ? null : formatCount(count, noun);
}

/** Maximum length of a rewritten text. */
const LONGEST_TEXT = 60;
const MOST_NAMES = 6;
const NOT_THERE = 'not there';
const READ = 'read';

const WORDERS: Worders = {
  'page.state': ({ from, to, details }) => states(from, to, details.word),
  'page.remains': ({ to }) => ({ from: null, to: `still ${stateWord(to)}` }),
  'page.renamed': renamed,
  'component.state': ({ from, to, details }) => states(from, to, details.word),
  'component.remains': ({ to }) => ({ from: null, to: `still ${stateWord(to)}` }),
  'component.added': ({ details }) => ({ from: NOT_THERE, to: stateWord(details.state) }),
  'component.removed': ({ details }) => ({ from: stateWord(details.state), to: NOT_THERE }),
  'component.renamed': renamed,
  'component.moved'({ source, from, to, details }, { names }) {
    const parent = (id: string | null): string =>
      id === null ? 'the top level' : cleanName(names(source, id) ?? `component ${id}`);
    const inside = to === null ? undefined : details.path.at(-1);
    return { from: parent(from), to: inside === undefined ? parent(to) : cleanName(inside) };
  },
  'notice.opened': ({ to, details }) => ({ from: null, to: addVendorWord(noticeState(to), details.notice.word) }),
  'notice.state': noticeStates,
  'notice.update': noticeStates,
  'notice.reopened': noticeStates,
  'notice.closed': noticeStates,
  'notice.withdrawn': ({ from }) => ({ from: noticeState(from), to: 'withdrawn' }),
  'notice.unlisted': ({ from }) => ({ from: noticeState(from), to: 'no longer listed' }),
  'notice.replaced': ({ from, to }) => ({ from: `notice ${toOneLine(from)}`, to: `notice ${toOneLine(to)}` }),
  'notice.rescheduled': ({ from, to }, setting) => ({
    from: formatWindow(from, setting),
    to: formatWindow(to, setting),
  }),
  'notice.impact'({ source, from, to, details }, { names }) {
    const nameOf = findAffectedName(details, (id) => names(source, id));
    const called = (ids: readonly string[]): string =>
      ids.length === 0 ? 'no component' : formatList(ids.map(nameOf), MOST_NAMES);
    return { from: from === null ? null : called(from), to: called(to) };
  },
  'notice.subject': ({ from, to }) => renamed({ from: cleanTitle(from), to: cleanTitle(to) }),
  'notice.type': ({ from, to }) => ({ from: toOneLine(from), to: toOneLine(to) }),
  'notice.edited': ({ from, to }) => ({ from: excerpt(from), to: excerpt(to) }),
  'maintenance.reminder': (transition) => ({ from: null, to: `${length(transition)} left` }),
  'maintenance.late': (transition) => ({ from: null, to: `${length(transition)} late` }),
  'maintenance.overrun': (transition) => ({ from: null, to: `${length(transition)} over its end` }),
  'source.baseline': ({ to }) => ({ from: null, to: toOneLine(to) }),
  'source.schema': ({ to }) => ({ from: null, to: toOneLine(to) }),
  'source.unreachable': ({ to }) => ({ from: READ, to: `not read: ${toOneLine(to)}` }),
  'source.recovered': ({ from }) => ({ from: `not read: ${toOneLine(from)}`, to: READ }),
  'source.credentials': ({ to }) => ({ from: 'accepted', to: `refused: ${toOneLine(to)}` }),
  'source.accepted': ({ from }) => ({ from: `refused: ${toOneLine(from)}`, to: 'accepted' }),
  'source.changed': ({ details: { names } }) => ({ from: quoted(names.from), to: quoted(names.to) }),
  'calls.missed': ({ to }) => ({ from: null, to: `${formatCount(to, 'caller')} waiting` }),
  'spend.limit': ({ from, to }) => ({ from: percent(from), to: percent(to) }),
  'spend.forecast': ({ to, details }) => ({ from: null, to: `up to ${details.currency} ${to}` }),
  'calls.stale': ({ to }) => ({ from: null, to: `no call for ${formatCount(to, 'hour')}` }),
  'fraud.suspected': ({ from, to }) => ({ from: countOf(from, 'call'), to: countOf(to, 'call') }),
  'route.dead': ({ from, to }) => ({ from: countOf(from, 'caller'), to: countOf(to, 'caller') }),
  'agents.none': ({ from, to }) => ({
    from: countOf(from, 'agent'),
    to: to === null ? 'enough agents' : countOf(to, 'agent'),
  }),
  'registration.lost': () => ({ from: 'registered', to: 'offline' }),
  'registration.restored': (transition) =>
    'domain' in transition.details ? phones(transition) : { from: 'offline', to: 'registered' },
  'registration.mass': phones,
  'registration.removed': () => ({ from: 'offline', to: 'no longer there' }),
  'registration.device': ({ from, to }) => ({ from: from === null ? null : toOneLine(from), to: toOneLine(to) }),
  'registration.network': ({ from, to }) => ({ from: from === null ? null : toOneLine(from), to: toOneLine(to) }),
  'registration.moved': ({ from, to }) => ({ from: toOneLine(from), to: toOneLine(to) }),
  'registration.flapping': ({ from, to }) => ({ from: losses(from), to: losses(to) ?? 'stable' }),
  'outage.suspected': ({ to, details: { goes_on_in: into } }) => ({
    from: null,
    to: `${formatCount(to, 'phone')} offline${into === undefined ? '' : `, merged into #${into.number}`}`,
  }),
  'outage.residual': ({ to }) => ({ from: null, to: `${formatCount(to, 'phone')} still offline` }),
  'toggle.state': ({ from, to }) => ({ from: formatToggle(from), to: formatToggle(to) }),
  'toggle.renamed': renamed,
  'toggle.added': ({ details }) => ({ from: NOT_THERE, to: formatToggle(details.status) }),
  'toggle.removed': ({ details }) => ({ from: formatToggle(details.status), to: NOT_THERE }),
  'toggle.off_schedule': ({ from, to }) => ({ from: null, to: `${formatToggle(from)}, expected ${formatToggle(to)}` }),
  'toggle.on_schedule': ({ to }) => ({ from: null, to: `${formatToggle(to)}, as expected` }),
  'toggle.missing': ({ to }) => ({ from: null, to: `missing, expected ${formatToggle(to)}` }),
  'alert.acknowledged': ({ from, to }) => ({
    from: from === null ? 'nobody' : toOneLine(from),
    to: to === null ? 'nobody' : toOneLine(to),
  }),
  'receiver.failed': ({ to }) => ({ from: 'taking messages', to: toOneLine(to) }),
  'receiver.recovered': ({ from }) => ({ from: toOneLine(from), to: 'taking messages' }),
  'receiver.unproved': () => ({ from: null, to: 'not proved' }),
  'receiver.proved': () => ({ from: 'not proved', to: 'proved' }),
  'linewatch.state': ({ to }) => ({ from: null, to: toOneLine(to) }),
  'linewatch.config': ({ to }) => ({ from: null, to: toOneLine(to) }),
  'linewatch.leader': ({ from, to }) => ({ from: toOneLine(from), to: toOneLine(to) }),
};

export function describeChangeValues(transition: Transition, setting: Setting): ChangeWords {
  // The table pairs each kind with its own function; the compiler cannot follow the pairing.
  const worder = WORDERS[transition.kind] as (transition: Transition, setting: Setting) => ChangeWords;
  return worder(transition, setting);
}

/** `operational → degraded`, or a single value if the other is missing or equal. */
export function formatChangeValues(transition: Transition, setting: Setting): string {
  const { from, to } = describeChangeValues(transition, setting);
  return formatArrow(from, to);
}

function states(from: string, to: string, word: string | undefined): ChangeWords {
  return { from: stateWord(from), to: addVendorWord(stateWord(to), word) };
}

function stateWord(state: string): string {
  return isKnownComponentState(state) ? formatComponentState(state).toLowerCase() : formatComponentState(state);
}

function noticeStates({
  from,
  to,
  details,
}: {
  from: string | null;
  to: string | null;
  details: NoticeDetails;
}): ChangeWords {
  return { from: from === null ? null : noticeState(from), to: addVendorWord(noticeState(to), details.notice.word) };
}

/** An unknown state stays in the provider's own spelling, within quotation marks. */
function noticeState(state: string | null): string {
  const label = formatNoticeState(state);
  return label.startsWith('“') ? label : label.toLowerCase();
}

function renamed({ from, to }: { from: string; to: string }): ChangeWords {
  return { from: quoted(from), to: quoted(to) };
}

function quoted(name: string): string {
  return `“${cleanName(name)}”`;
}

function excerpt(text: string): string {
  return `“${truncate(toOneLine(toReadableText(text)), LONGEST_TEXT)}”`;
}

function length({ to, details }: { to: number; details: NoticeDetails }): string {
  return formatElapsed(details.milliseconds ?? to * SECOND);
}

/** Counts of registered phones. */
function phones({ from, to, details }: TransitionOf<'registration.mass' | 'registration.restored'>): ChangeWords {
  if (!('total' in details)) return { from: String(from), to: `${to} registered` };
  return { from: `${from} of ${details.total}`, to: `${to} of ${details.total} registered` };
}

function losses(count: number | null): string | null {
  return count === null ? null : formatCount(count, 'loss', 'losses');
}
