/** The toggles of all customers: what each is, what it should be, and until when. */
import { html } from 'hono/html';
import { DAY } from '../core/text/duration.ts';
import { capital, oneLine } from '../core/text/plain.ts';
import type { Picture, ToggleView } from '../core/view/picture.ts';
import { hasUnreadPhones, isUnknownSource, type VerdictTone } from '../core/view/verdict.ts';
import { dayOf, hour } from './frame.ts';
import { glyph, type Fragment } from './glyphs.ts';
import { stackTable } from './stack-table.ts';
import { customersOf } from './phones.ts';

/** Those that are not as they should be have a line, the others are folded. */
export function toggleTable(picture: Picture): Fragment | null {
  const all = customersOf(picture).flatMap((customer) =>
    (customer.toggles ?? []).map((toggle) => ({
      toggle,
      name: `${oneLine(customer.called)}: ${oneLine(toggle.name)}`,
      isUnknown:
        hasUnreadPhones(customer) ||
        customer.unread.includes('toggles') ||
        isUnknownSource(customer) ||
        toggle.status === null,
    })),
  );
  if (all.length === 0) return null;
  const isWrong = ({ toggle, isUnknown }: (typeof all)[number]): boolean =>
    isUnknown ? toggle.expected !== null : toggle.expected !== null && toggle.expected !== toggle.status;
  const wrong = all.filter(isWrong);
  const others = all.filter((each) => !isWrong(each));
  const row = ({ toggle, name, isUnknown }: (typeof all)[number]): Fragment => {
    const tone: VerdictTone = isUnknown
      ? 'unk'
      : toggle.expected !== null && toggle.expected !== toggle.status
        ? 'warn'
        : 'ok';
    const is = isUnknown ? 'not known' : onOff(toggle.status);
    return html`<tr>
      <th scope="row">${name}</th>
      <td data-h="is">${tone === 'ok' ? is : html`<span class="state ${tone}">${glyph(tone)}${is}</span>`}</td>
      <td data-h="should be">
        ${toggle.expected === null ? html`<span class="soft">either</span>` : shouldBe(picture, toggle)}
      </td>
    </tr>`;
  };
  const table = (rows: typeof all): Fragment => stackTable(['Toggle', 'Is', 'Should be'], rows.map(row));
  const count =
    wrong.length === 0 ? `none of ${all.length} is wrong` : `${wrong.length} of ${all.length} not as they should be`;
  return html`<section aria-labelledby="toggles" id="toggle-list" data-live>
    <div class="head">
      <h2 id="toggles">Toggles</h2>
      <p>${count}</p>
    </div>
    <div class="card">
      ${wrong.length === 0 ? null : table(wrong)}
      ${
        others.length === 0
          ? null
          : html`<details data-fold="toggles" ${all.length <= 6 ? html`open` : null}>
              <summary>
                ${capital(others.length === all.length ? `all ${all.length}` : `${others.length} others`)}
              </summary>
              ${table(others)}
            </details>`
      }
    </div>
  </section>`;
}

function onOff(status: boolean | null): string {
  return status === null ? 'not known' : status ? 'on' : 'off';
}

/** `off until 17:30`, `on until Fri 08:30`. */
function shouldBe(picture: Picture, { expected, changesAt }: ToggleView): Fragment {
  if (changesAt === undefined) return html`${onOff(expected)}`;
  const day = changesAt - picture.now < DAY ? '' : `${dayOf(picture, changesAt).weekday} `;
  return html`${onOff(expected)} <span class="soft nw">until ${day}${hour(picture, changesAt)}</span>`;
}
