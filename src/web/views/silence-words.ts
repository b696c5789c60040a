/** Silences in words: `Kelso Freight: phones offline at Richmond`. Unusual keys are shown as they are written. */
import { html } from 'hono/html';
import type { Matchers } from '../../core/alert/matchers.ts';
import { formatList, toOneLine } from '../../core/text/plain.ts';
import type { SystemStatus, SilenceView } from '../../core/view/system-status.ts';
import { findSourceTitle } from '../look/source-title.ts';
import type { Fragment } from '../look/icons.ts';
import { renderTime } from '../look/layout.ts';

interface Subject {
  name: string;
  text: string;
  kinds: readonly string[];
}

/** Choices of the form's picker, each with the kinds of transition that it silences. */
export const SUBJECTS: readonly Subject[] = [
  { name: 'phones', text: 'phones offline', kinds: ['registration.*', 'outage.*'] },
  { name: 'toggles', text: 'toggles', kinds: ['toggle.*'] },
  { name: 'page', text: 'what a status page shows', kinds: ['page.*', 'component.*', 'notice.*', 'maintenance.*'] },
  { name: 'calls', text: 'calls and costs', kinds: ['calls.*', 'spend.*', 'fraud.*', 'route.*', 'agents.*'] },
  { name: 'source', text: 'account or page not readable', kinds: ['source.*'] },
];

export function findSubject(kinds: readonly string[]): Subject | undefined {
  return SUBJECTS.find((subject) => subject.kinds.join() === kinds.join());
}

const SHOWN_NAMES = 4;

export function describeMatchers(status: Pick<SystemStatus, 'sources'>, matchers: Matchers): string {
  const { source = [], site = [], ...others } = matchers;
  const named = (names: readonly string[]): string => formatList(names.map(toOneLine), SHOWN_NAMES);
  const about = Object.entries(others).map(([key, values]) => {
    if (key === 'component') return named(values);
    if (key === 'extension') return `${values.length === 1 ? 'extension' : 'extensions'} ${named(values)}`;
    if (key === 'severity') return `${named(values)} alerts`;
    const subject = key === 'kind' ? findSubject(values) : undefined;
    return subject?.text ?? `${key}=${values.map(toOneLine).join(',')}`;
  });
  const where = source.length === 0 ? [] : [named(source.map((name) => findSourceTitle(status, name)))];
  const what = `${about.length === 0 ? 'anything' : about.join(', ')}${site.length === 0 ? '' : ` at ${named(site)}`}`;
  return [...where, what].join(': ');
}

export function renderSilenceTimes(status: SystemStatus, { from, until, active }: SilenceView): Fragment {
  return html`${active ? 'Until' : html`From ${renderTime(status, from)} until`} ${renderTime(status, until)}`;
}

export function renderSilenceLine(status: SystemStatus, silence: SilenceView): Fragment {
  const { id, comment, matchers, by } = silence;
  return html`<strong>${describeMatchers(status, matchers)}</strong> <span class="soft">${id}</span
    ><br />${by === undefined ? null : `By ${toOneLine(by)}. `}${renderSilenceTimes(status, silence)}${comment === '' ? null : html`<br /><span class="soft">${toOneLine(comment)}</span>`}`;
}
