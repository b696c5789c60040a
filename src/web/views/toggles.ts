/** Toggles of all customers: current and expected state, and the next change. */
import { html } from 'hono/html';
import { DAY } from '../../core/text/duration.ts';
import { capitalize, formatCount, toOneLine } from '../../core/text/plain.ts';
import type { SystemStatus, ToggleView } from '../../core/view/system-status.ts';
import { formatUnknown, isUnknownPart, formatSum, type SumWords } from '../../core/view/verdict/known.ts';
import { listAccountViews, isWrongToggle, sumToggles } from '../../core/view/verdict/sums.ts';
import type { VerdictTone } from '../../core/view/verdict/verdict.ts';
import { toDayParts, renderHour } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderStackTable } from '../look/stack-table.ts';

const TOGGLES_SUM: SumWords = {
  well: 'as scheduled',
  wrong: 'not as scheduled',
};

/** Toggles in an unexpected state have a line each, the others are folded. */
export function toggleTable(status: SystemStatus): Fragment | null {
  const accounts = listAccountViews(status);
  const all = accounts.flatMap((customer) =>
    (customer.toggles ?? []).map((toggle) => ({
      toggle,
      name: accounts.length === 1 ? toOneLine(toggle.name) : `${toOneLine(customer.called)}: ${toOneLine(toggle.name)}`,
      isUnknown: isUnknownPart(customer, 'toggles') || toggle.status === null,
    })),
  );
  if (all.length === 0) return null;
  // A toggle that may need action has a line of its own: known to be wrong, or unknown.
  const isShown = ({ toggle, isUnknown }: (typeof all)[number]): boolean =>
    isUnknown ? toggle.expected !== null : isWrongToggle(toggle);
  const shown = all.filter(isShown);
  const others = all.filter((each) => !isShown(each));
  const row = ({ toggle, name, isUnknown }: (typeof all)[number]): Fragment => {
    const tone: VerdictTone = isUnknown ? 'unk' : isWrongToggle(toggle) ? 'warn' : 'ok';
    const is = isUnknown ? 'not known' : onOff(toggle.status);
    return html`<tr>
      <th scope="row">${name}</th>
      <td data-h="is">${tone === 'ok' ? is : html`<span class="state ${tone}">${renderGlyph(tone)}${is}</span>`}</td>
      <td data-h="should be">
        ${toggle.expected === null ? html`<span class="soft">either</span>` : shouldBe(status, toggle)}
      </td>
    </tr>`;
  };
  const table = (rows: typeof all): Fragment => renderStackTable(['Toggle', 'Is', 'Should be'], rows.map(row));
  return html`<section class="card w4" aria-labelledby="toggles" id="toggle-list">
    <div class="head">
      <h2 id="toggles">Toggles</h2>
      <p>${formatSums(status, all.length)}</p>
    </div>
    ${shown.length === 0 ? null : table(shown)}
    ${
      others.length === 0
        ? null
        : shown.length === 0 && others.length <= 8
          ? table(others)
          : html`<details data-fold="toggles">
              <summary>
                ${capitalize(others.length === all.length ? `all ${all.length}` : formatCount(others.length, 'other'))}
              </summary>
              ${table(others)}
            </details>`
    }
  </section>`;
}

/** Sum of toggles with an expected state; their number if none has one. */
function formatSums(status: SystemStatus, count: number): string {
  const sum = sumToggles(status);
  if (sum.well + sum.wrong + sum.unknown > 0) return formatSum(sum, TOGGLES_SUM, status);
  return formatUnknown(sum, status) ?? formatCount(count, 'toggle');
}

function onOff(status: boolean | null): string {
  return status === null ? 'not known' : status ? 'on' : 'off';
}

/** `off until 17:30`, `on until Fri 08:30`. */
function shouldBe(status: SystemStatus, { expected, changesAt }: ToggleView): Fragment {
  if (changesAt === undefined) return html`${onOff(expected)}`;
  const day = changesAt - status.now < DAY ? '' : `${toDayParts(status, changesAt).weekday} `;
  return html`${onOff(expected)} <span class="soft nw">until ${day}${renderHour(status, changesAt)}</span>`;
}
