/** Silences on the page: those there are, and a form to make one. It stands apart from the overview, which loads again by itself. */
import type { SilenceAsk } from '../core/alert/silence.ts';
import { html } from 'hono/html';
import { oneLine } from '../core/text/plain.ts';
import { SEVERITIES } from '../core/transition/kind.ts';
import { listed, page, section, time, type Fragment } from './frame.ts';
import type { Picture, SilenceView } from '../core/view/picture.ts';
import { span } from '../core/wording/time.ts';
import { DAY, HOUR, MINUTE } from '../core/text/duration.ts';

/** `whyNot` is null where silences can be made here; `trouble` is what was wrong with the last thing asked. */
export function silencePage(
  picture: Picture,
  form: SilenceForm,
  whyNot: string | null,
  trouble: string | null,
): Fragment {
  const { silences, sources } = picture;
  const top = html`${trouble === null ? null : html`<p class="verdict warning" role="alert">${trouble}</p>`}
    <p class="soft">
      A silence mutes messages, not the watch: what is still open when it ends is told then, and what opened and ended
      inside it is summarised.
    </p>`;
  const lines = silences.map(
    (silence) => html`${silenceLine(picture, silence)}${whyNot === null ? ending(silence) : null}`,
  );
  const asking =
    whyNot === null ? formFor(form, [...sources.map(({ name }) => name), 'linewatch']) : html`<p>${whyNot}</p>`;
  const main = html`${section('there', 'Active and to come', html`<div class="card">${listed(lines, 'There is none.')}</div>`)}
  ${section('new', 'Mute something', html`<div class="card">${asking}</div>`)}`;
  return page(picture, { here: 'silences', title: 'Silences' }, top, main);
}

export function silenceLine(picture: Picture, { id, matchers, from, until, comment, active }: SilenceView): Fragment {
  const what = Object.entries(matchers).map(([key, values]) => `${key}=${values.map(oneLine).join(',')}`);
  return html`<strong>${what.join(' and ')}</strong> <span class="soft">${id}</span><br />${
      active ? 'Until' : html`From ${time(picture, from)} until`
    }
    ${time(picture, until)}${comment === '' ? null : html`<br /><span class="soft">${oneLine(comment)}</span>`}`;
}

function ending({ id }: SilenceView): Fragment {
  return html`<form method="post" action="silences">
    <input type="hidden" name="expire" value="${id}" /><button>End silence ${id} now</button>
  </form>`;
}

function formFor(form: SilenceForm, sources: readonly string[]): Fragment {
  return html`<form method="post" action="silences">
    <label for="source">Source</label>
    <select id="source" name="source">
      <option value="">any</option>
      ${sources.map((name) => option(name, name, form.source))}
    </select>
    <label for="severity">Severity</label>
    <select id="severity" name="severity">
      <option value="">any</option>
      ${SEVERITIES.map((severity) => option(severity, severity, form.severity))}
    </select>
    <label for="component"
      >Components <span class="soft">names or ids, parted by commas; * stands for anything</span></label
    >
    <input id="component" name="component" value="${form.component}" maxlength="1000" autocomplete="off" />
    <label for="other"
      >Anything else <span class="soft">as KEY=VALUE, such as kind=notice.update or customer=acme</span></label
    >
    <input id="other" name="other" value="${form.other}" maxlength="1000" autocomplete="off" />
    <label for="length">For</label>
    <select id="length" name="length">
      ${LENGTHS.map(({ value, text }) => option(value, text, form.length))}
    </select>
    <label for="comment">Why <span class="soft">for those who find it</span></label>
    <input id="comment" name="comment" value="${form.comment}" maxlength="1000" autocomplete="off" />
    <button>Mute</button>
  </form>`;
}

function option(value: string, text: string, chosen: string): Fragment {
  return value === chosen
    ? html`<option value="${value}" selected>${text}</option>`
    : html`<option value="${value}">${text}</option>`;
}

const LENGTHS: readonly { value: string; text: string; ms: number }[] = [
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  DAY,
  3 * DAY,
  7 * DAY,
].map((ms) => ({ value: String(ms), text: span(ms), ms }));

/** Every field as it was written. */
export interface SilenceForm {
  source: string;
  severity: string;
  component: string;
  other: string;
  length: string;
  comment: string;
}

export function silenceForm(field: (name: string) => string | undefined): SilenceForm {
  const read = (name: string): string => oneLine(field(name) ?? '').slice(0, 1000);
  return {
    source: read('source'),
    severity: read('severity'),
    component: read('component'),
    other: read('other'),
    length: read('length') || String(2 * HOUR),
    comment: read('comment'),
  };
}

/** What to ask for, or a sentence that says what is wrong. */
export function askOf(form: SilenceForm, now: number): SilenceAsk | string {
  const length = LENGTHS.find(({ value }) => value === form.length);
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
  if (Object.keys(matchers).length === 0) return 'Say what to mute: a silence without that would mute everything.';
  return { matchers, from: now, until: now + length.ms, comment: form.comment };
}

function parted(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
