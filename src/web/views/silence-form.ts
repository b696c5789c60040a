/** The form for a silence: pickers, lengths and a preview; and the request that its fields make. */
import type { SilenceAsk } from '../../core/alert/silence.ts';
import type { Matchers } from '../../core/alert/matchers.ts';
import { html } from 'hono/html';
import { findNextTimeOfDay } from '../../core/text/hours.ts';
import { readMoment } from '../../core/text/moment.ts';
import { toOneLine, formatCount, formatList } from '../../core/text/plain.ts';
import { HOUR } from '../../core/text/duration.ts';
import { SEVERITIES } from '../../core/transition/kind.ts';
import type { OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
import { listAccountViews, listPageViews } from '../../core/view/verdict/sums.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { toDayParts, formatPageTime } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderOption } from '../look/option.ts';
import { findSubject, SUBJECTS } from './silence-words.ts';

/** Characters of a field of the form; longer ones are truncated. */
const LONGEST_FIELD = 1000;

/** Every field as typed. */
export interface SilenceForm {
  source: string;
  /** `SOURCE/SITE`: customers may have sites of the same name. */
  site: string;
  about: string;
  severity: string;
  component: string;
  extension: string;
  other: string;
  length: string;
  /** Local time of the page's zone, `2026-03-27T17:00`, for the length `other`. */
  until: string;
  comment: string;
}

const FIELDS = ['source', 'site', 'about', 'severity', 'component', 'extension', 'other', 'until', 'comment'] as const;

/** Typed values, truncated; they may be invalid. */
export function readSilenceForm(field: (name: string) => string | undefined): SilenceForm {
  const read = (name: string): string => toOneLine(field(name) ?? '').slice(0, LONGEST_FIELD);
  const fields = Object.fromEntries(FIELDS.map((name) => [name, read(name)])) as Record<
    (typeof FIELDS)[number],
    string
  >;
  return { ...fields, length: read('length') || String(2 * HOUR) };
}

/** Query that fills in the form; a name with a comma is left out, since the form separates values by commas. */
export function createSilenceQuery(matchers: Matchers, comment: string): string {
  const query = new URLSearchParams({ comment });
  for (const [key, values] of Object.entries(matchers)) {
    const text = values.join(', ');
    if (text.length > LONGEST_FIELD || values.some((value) => value.includes(','))) continue;
    const subject = key === 'kind' ? findSubject(values) : undefined;
    if (subject !== undefined) query.set('about', subject.name);
    else if (key === 'source' || key === 'component' || key === 'extension') query.set(key, text);
    else query.set('other', `${key}=${values.join(',')}`);
  }
  return query.toString();
}

/** Current effect of a silence: open alerts that it mutes, those that are still sent, and those muted already. */
export interface Preview {
  silenced: readonly OpenAlert[];
  sent: readonly SentAlert[];
  already: number;
}

/** An alert that is still sent, with the display names of its sources that the silence mutes. */
export interface SentAlert {
  number: number;
  without: readonly string[];
}

/** Number of alerts in a preview. */
const MOST_PREVIEWED = 6;

function renderPreview(status: SystemStatus, form: SilenceForm, { silenced, sent, already }: Preview): Fragment {
  const all = silenced.length + sent.length + already;
  const until = findEnd(form, status);
  const untilText = typeof until === 'number' ? `, until ${formatPageTime(status, until)}` : '';
  const some = silenced.length === 0 ? 'none' : silenced.length;
  const counted =
    all === 0 ? 'No alert is open now.' : `This silences ${some} of ${formatCount(all, 'open alert')}${untilText}.`;
  const more = silenced.length - MOST_PREVIEWED;
  const still = sent.map(
    ({ number, without }) => `#${number}${without.length === 0 ? '' : ` without ${formatList(without, 3)}`}`,
  );
  return html`<div class="preview" role="status">
    <p><b>${counted}</b></p>
    ${
      silenced.length === 0
        ? null
        : html`<ul class="small">
            ${silenced
              .slice(0, MOST_PREVIEWED)
              .map(({ number, title }) => html`<li>${renderGlyph('muted')} #${number} ${toOneLine(title)}</li>`)}
            ${more > 0 ? html`<li>and ${more} more</li>` : null}
          </ul>`
    }
    <p class="small soft">
      ${sent.length > 0 ? `Still sent: ${formatList(still, 8)}.` : all === 0 ? '' : 'None is still sent.'}
      ${already > 0 ? `${formatCount(already, 'alert is', 'alerts are')} silenced already.` : ''} Other alerts that
      begin until then are silenced if they match.
    </p>
  </div>`;
}

export function renderSilenceForm(status: SystemStatus, form: SilenceForm, preview: Preview | null): Fragment {
  const isNarrow = [form.component, form.extension, form.severity, form.other].some((value) => value !== '');
  return html`<form class="fields" method="post" action="silences">
    <div class="pair">
      <label
        >Customer or status page<select name="source">
          <option value="">any</option>
          ${listSourceGroups(status).map(
            ({ title, sources }) =>
              html`<optgroup label="${title}">
                ${sources.map(({ name, called }) => renderOption(name, toOneLine(called), form.source))}
              </optgroup>`,
          )}
        </select></label
      >
      ${renderSitePicker(status, form)}
      <label
        >About<select name="about">
          <option value="">anything</option>
          ${SUBJECTS.map(({ name, text }) => renderOption(name, text, form.about))}
        </select></label
      >
    </div>
    <details ${isNarrow ? html`open` : null}>
      <summary>A component, an extension or a severity</summary>
      <div class="pair">
        ${renderText('component', form, 'Components: names or ids, parted by commas; * stands for anything')}
        ${renderText('extension', form, 'Extensions, parted by commas')}
        <label
          >Severity<select name="severity">
            <option value="">any</option>
            ${SEVERITIES.map((severity) => renderOption(severity, severity, form.severity))}
          </select></label
        >
        ${renderText('other', form, 'Anything else, as KEY=VALUE, such as kind=notice.update or customer=acme')}
      </div>
    </details>
    <fieldset>
      <legend>For how long</legend>
      <div class="pick">
        ${listLengths(status).map(
          ({ value, text }) =>
            html`<label
              ><input
                type="radio"
                name="length"
                value="${value}"
                ${value === form.length ? html`checked` : null}
              />${text}</label
            >`,
        )}
      </div>
      <label class="until"
        >Until, in the time of ${status.timezone}<input type="datetime-local" name="until" value="${form.until}"
      /></label>
    </fieldset>
    ${renderText('comment', form, 'Why (everybody reads it)')}
    ${preview === null ? null : renderPreview(status, form, preview)}
    <p class="acts"><button class="main">Silence</button><button name="do" value="preview">Preview</button></p>
  </form>`;
}

function renderText(name: 'component' | 'extension' | 'other' | 'comment', form: SilenceForm, label: string): Fragment {
  return html`<label
    >${label}<input name="${name}" value="${form[name]}" maxlength="${LONGEST_FIELD}" autocomplete="off"
  /></label>`;
}

interface NamedSource {
  name: string;
  called: string;
}

function listSourceGroups(status: SystemStatus): { title: string; sources: readonly NamedSource[] }[] {
  return [
    { title: 'Customers', sources: listAccountViews(status) },
    { title: 'Status pages', sources: listPageViews(status) },
    { title: 'Linewatch', sources: [{ name: 'linewatch', called: 'Linewatch itself' }] },
  ].filter(({ sources }) => sources.length > 0);
}

/** Null without a known site. */
function renderSitePicker(status: SystemStatus, form: SilenceForm): Fragment | null {
  const groups = listAccountViews(status).flatMap(({ name, called, phones }) => {
    const sites = (phones?.sites ?? []).flatMap(({ site, total }) => (site === null ? [] : [{ site, total }]));
    return sites.length === 0 ? [] : [{ name, called, sites }];
  });
  if (groups.length === 0) return null;
  return html`<label
    >Site<select name="site">
      <option value="">any site</option>
      ${groups.map(
        ({ name, called, sites }) =>
          html`<optgroup label="${toOneLine(called)}">
            ${sites.map(({ site, total }) =>
              renderOption(`${name}/${site}`, `${toOneLine(site)}, ${formatCount(total, 'phone')}`, form.site),
            )}
          </optgroup>`,
      )}
    </select></label
  >`;
}

const MORNING = '08:00';
const LENGTHS: readonly number[] = [HOUR, 2 * HOUR];

type Zoned = Pick<SystemStatus, 'now' | 'timezone'>;

/** Ends of the presets; null for the one whose end is typed. */
function listLengths(status: Zoned): { value: string; text: string; until: number | null }[] {
  const { now, timezone } = status;
  const morning = findNextTimeOfDay({ at: MORNING, days: [1, 2, 3, 4, 5, 6, 7], timezone }, now);
  const monday = findNextTimeOfDay({ at: MORNING, days: [1], timezone }, now);
  const day = (at: number): string => {
    const { key, weekday } = toDayParts(status, at);
    return key === toDayParts(status, now).key ? '' : `${weekday} `;
  };
  return [
    ...LENGTHS.map((ms) => ({ value: String(ms), text: formatElapsed(ms), until: now + ms })),
    { value: 'morning', text: `until ${day(morning)}${MORNING}`, until: morning },
    ...(monday === morning ? [] : [{ value: 'monday', text: `until Mon ${MORNING}`, until: monday }]),
    { value: 'other', text: 'other…', until: null },
  ];
}

/** Epoch milliseconds, or a sentence on what is wrong. */
function findEnd({ length, until }: SilenceForm, status: Zoned): number | string {
  const chosen = listLengths(status).find(({ value }) => value === length);
  if (chosen === undefined) return 'Choose for how long.';
  const at = chosen.until ?? (LOCAL_TIME.test(until) ? readMoment(until, status.timezone) : null);
  if (at === null) return 'Say until when, as a day and a time.';
  return at > status.now ? at : `${formatPageTime(status, at)} is over; choose a later time.`;
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** The request, or a sentence on its error. */
export function askOf(form: SilenceForm, status: Zoned): SilenceAsk | string {
  const until = findEnd(form, status);
  if (typeof until === 'string') return until;
  const matchers = readMatchers(form);
  if (typeof matchers === 'string') return matchers;
  return { matchers, from: status.now, until, comment: form.comment };
}

function readMatchers(form: SilenceForm): Record<string, string[]> | string {
  const matchers: Record<string, string[]> = {};
  for (const key of ['source', 'severity', 'component', 'extension'] as const) {
    const values = parted(form[key]);
    if (values.length > 0) matchers[key] = values;
  }
  if (form.site !== '') {
    const [, source = '', site = ''] = /^([^/]+)\/(.+)$/s.exec(form.site) ?? [];
    if (source === '') return 'Choose a site of the list.';
    if (form.source !== '' && form.source !== source) {
      return 'The site is another customer’s: choose one of the same customer.';
    }
    matchers['source'] = [source];
    matchers['site'] = [site];
  }
  if (form.about !== '') {
    const subject = SUBJECTS.find(({ name }) => name === form.about);
    if (subject === undefined) return 'Choose what it is about.';
    matchers['kind'] = [...subject.kinds];
  }
  if (form.other !== '') {
    const [, key, written] = /^([A-Za-z][\w-]*)\s*=(.+)$/s.exec(form.other) ?? [];
    const values = parted(written ?? '');
    if (key === undefined || values.length === 0) {
      return 'Anything else is written KEY=VALUE, or KEY=VALUE,VALUE for several values.';
    }
    if (Object.hasOwn(matchers, key)) return `${key} is chosen above already; leave it out of anything else.`;
    matchers[key] = values;
  }
  if (Object.keys(matchers).length === 0) {
    return 'Say what to silence: a silence without that would silence everything.';
  }
  return matchers;
}

function parted(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
