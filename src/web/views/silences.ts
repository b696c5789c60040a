/**
 * Silences on the page: a list, and a form to create one. It is separate from the overview, which reloads by itself.
 */
import type { SilenceAsk } from '../../core/alert/silence.ts';
import { html } from 'hono/html';
import { toOneLine, formatCount } from '../../core/text/plain.ts';
import { SEVERITIES } from '../../core/transition/kind.ts';
import {
  toDayParts,
  formatHourText,
  renderDocument,
  renderTime,
  createPageTitle,
  type PageContext,
} from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';
import { renderOption } from '../look/option.ts';
import { renderStackTable } from '../look/stack-table.ts';
import type { OpenAlert, Picture, SilenceView } from '../../core/view/picture.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { DAY, HOUR, MINUTE } from '../../core/text/duration.ts';

/** Characters of a field of the form; longer ones are truncated. */
export const LONGEST_FIELD = 1000;

/** Current effect of a silence: open alerts that it mutes, and those that are still sent. */
export interface Preview {
  silenced: readonly OpenAlert[];
  sent: readonly OpenAlert[];
}

/** Number of alerts in a preview. */
const MOST_PREVIEWED = 4;

function previewPart({ silenced, sent }: Preview): Fragment {
  const named = (alerts: readonly OpenAlert[]): string => {
    const shown = alerts.slice(0, MOST_PREVIEWED).map(({ number, title }) => `#${number} ${toOneLine(title)}`);
    return [...shown, ...(alerts.length > shown.length ? [`and ${alerts.length - shown.length} more`] : [])].join('; ');
  };
  return html`<div class="preview" role="status">
    <p><b>Silenced now: ${formatCount(silenced.length, 'open alert')}.</b> ${named(silenced)}</p>
    <p><b>Still sent: ${formatCount(sent.length, 'open alert')}.</b> ${named(sent)}</p>
  </div>`;
}

/** Longest useful list. */
const MOST = 200;

/** `trouble` is the error of the last request. */
export function renderSilencePage(
  context: PageContext,
  form: SilenceForm,
  trouble: string | null,
  preview: Preview | null = null,
): Fragment {
  const { picture, viewer } = context;
  const { silences, sources } = picture;
  const mayChange = viewer.whyNotChange === null;
  const main = html`<section class="verdict" aria-labelledby="title">
      <div class="says">
        <h1 id="title"><span>Silences</span></h1>
        <p>
          A silence stops messages, not the watch. When it ends, alerts that are still open are sent, and the others are
          summarised.
        </p>
      </div>
    </section>
    <div class="page">
      ${trouble === null ? null : html`<p class="says-no full" role="alert">${trouble}</p>`}
      <section class="card w6" aria-labelledby="new">
        <div class="head"><h2 id="new">Silence something</h2></div>
        ${mayChange ? formFor(picture, form, [...sources, { name: 'linewatch', called: 'Linewatch itself' }], preview) : html`<p>${viewer.whyNotChange}</p>`}
      </section>
      <section class="card w6" aria-labelledby="there">
        <div class="head">
          <h2 id="there">Active and to come</h2>
          <p>${silences.length === 0 ? null : silences.length}</p>
        </div>
        ${silences.length === 0 ? html`<p>Nothing is silenced.</p>` : silenceTable(picture, silences, mayChange)}
      </section>
    </div>`;
  return renderDocument(
    context,
    { here: 'silences', title: 'Silences', tone: createPageTitle(picture).tone, still: true },
    main,
  );
}

/** Matchers, end and comment of each. */
function silenceTable(picture: Picture, silences: readonly SilenceView[], mayChange: boolean): Fragment {
  const shown = silences.slice(0, MOST);
  return html`${renderStackTable(
    ['What', 'When', 'Why', ...(mayChange ? [html`<span class="hidden">What to do</span>`] : [])],
    shown.map(
      (silence) =>
        html`<tr>
          <th scope="row">${mutedText(silence)} <span class="soft small">${silence.id}</span></th>
          <td data-h="">${whenText(picture, silence)}</td>
          <td data-h="why">${toOneLine(silence.comment)}</td>
          ${mayChange ? html`<td>${ending(silence)}</td>` : null}
        </tr>`,
    ),
  )}
  ${silences.length > shown.length ? html`<p class="soft">and ${silences.length - shown.length} more: <code>linewatch silence list</code></p>` : null}`;
}

function mutedText({ matchers }: SilenceView): string {
  return Object.entries(matchers)
    .map(([key, values]) => `${key}=${values.map(toOneLine).join(',')}`)
    .join(' and ');
}

function whenText(picture: Picture, { from, until, active }: SilenceView): Fragment {
  return html`${active ? 'Until' : html`From ${renderTime(picture, from)} until`} ${renderTime(picture, until)}`;
}

export function renderSilenceLine(picture: Picture, silence: SilenceView): Fragment {
  const { id, comment } = silence;
  return html`<strong>${mutedText(silence)}</strong> <span class="soft">${id}</span
    ><br />${whenText(picture, silence)}${comment === '' ? null : html`<br /><span class="soft">${toOneLine(comment)}</span>`}`;
}

function ending({ id }: SilenceView): Fragment {
  return html`<form class="acts" method="post" action="silences">
    <input type="hidden" name="expire" value="${id}" /><button>
      End now<span class="hidden">: silence ${id}</span>
    </button>
  </form>`;
}

function formFor(
  picture: Picture,
  form: SilenceForm,
  sources: readonly { name: string; called: string }[],
  preview: Preview | null,
): Fragment {
  return html`<form class="fields" method="post" action="silences">
    <label
      >Source<select name="source">
        <option value="">any</option>
        ${sources.map(({ name, called }) => renderOption(name, toOneLine(called), form.source))}
      </select></label
    >
    <label
      >Severity<select name="severity">
        <option value="">any</option>
        ${SEVERITIES.map((severity) => renderOption(severity, severity, form.severity))}
      </select></label
    >
    <label
      >Components: names or ids, parted by commas; * stands for anything<input
        name="component"
        value="${form.component}"
        maxlength="${LONGEST_FIELD}"
        autocomplete="off"
    /></label>
    <label
      >Anything else, as KEY=VALUE, such as kind=notice.update or customer=acme<input
        name="other"
        value="${form.other}"
        maxlength="${LONGEST_FIELD}"
        autocomplete="off"
    /></label>
    <fieldset>
      <legend>For</legend>
      <div class="pick">
        ${lengthsOf(picture).map(
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
    </fieldset>
    <label
      >Why, for those who find it<input
        name="comment"
        value="${form.comment}"
        maxlength="${LONGEST_FIELD}"
        autocomplete="off"
    /></label>
    ${preview === null ? null : previewPart(preview)}
    <p class="acts"><button class="main">Silence</button><button name="do" value="preview">Preview</button></p>
  </form>`;
}

/** Lengths in milliseconds, and two that end at an hour of the reader's zone. */
const LENGTHS: readonly number[] = [30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 3 * DAY, 7 * DAY];
const MORNING_HOUR = 8;

function lengthsOf(picture: Pick<Picture, 'now' | 'timezone'>): { value: string; text: string; ms: number }[] {
  const morning = nextMorning(picture, () => true);
  const monday = nextMorning(picture, (weekday) => weekday === 'Mon');
  return [
    ...LENGTHS.map((ms) => ({ value: String(ms), text: formatElapsed(ms), ms })),
    { value: 'morning', text: `until ${toDayParts(picture, morning).weekday} 08:00`, ms: morning - picture.now },
    ...(monday === morning ? [] : [{ value: 'monday', text: 'until Monday 08:00', ms: monday - picture.now }]),
  ];
}

/** The next eight o'clock on such a day, in the reader's zone. */
function nextMorning(picture: Pick<Picture, 'now' | 'timezone'>, isDay: (weekday: string) => boolean): number {
  let at = Math.ceil((picture.now + 1) / QUARTER) * QUARTER;
  while (formatHourText(picture, at) !== `0${MORNING_HOUR}:00` || !isDay(toDayParts(picture, at).weekday)) {
    at += QUARTER;
  }
  return at;
}

const QUARTER = 15 * MINUTE;

/** Every field as typed. */
export interface SilenceForm {
  source: string;
  severity: string;
  component: string;
  other: string;
  length: string;
  comment: string;
}

/** Typed values, truncated; they may be invalid. */
export function readSilenceForm(field: (name: string) => string | undefined): SilenceForm {
  const read = (name: string): string => toOneLine(field(name) ?? '').slice(0, LONGEST_FIELD);
  return {
    source: read('source'),
    severity: read('severity'),
    component: read('component'),
    other: read('other'),
    length: read('length') || String(2 * HOUR),
    comment: read('comment'),
  };
}

/** The request, or a sentence on its error. */
export function askOf(form: SilenceForm, picture: Pick<Picture, 'now' | 'timezone'>): SilenceAsk | string {
  const { now } = picture;
  const length = lengthsOf(picture).find(({ value }) => value === form.length);
  if (length === undefined) return 'Choose for how long.';
  const matchers: Record<string, string[]> = {};
  for (const key of ['source', 'severity', 'component'] as const) {
    const values = parted(form[key]);
    if (values.length > 0) matchers[key] = values;
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
  return { matchers, from: now, until: now + length.ms, comment: form.comment };
}

function parted(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
