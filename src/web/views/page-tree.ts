/** A status page as the tree of its components: good ones are small and in a row, others have a line each. */
import { html } from 'hono/html';
import { toOneLine } from '../../core/text/plain.ts';
import { isAwaited, isUnknownSource, formatReadTime } from '../../core/view/verdict/known.ts';
import type { ComponentView, PageView, SystemStatus, SourceView } from '../../core/view/system-status.ts';
import { formatComponentState } from '../../core/wording/state-words.ts';
import { cleanName } from '../../core/wording/wording.ts';
import { formatNames, renderHour, renderStatusPageLink, renderTime } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';

type PageOfTree = SourceView & PageView;

/** Further good components are counted and not named. */
const MOST_WELL = 12;

/**
 * One entry of a list: components with problems in a line each, the others in one. An unread page shows its last state.
 */
export function renderPageRow(status: SystemStatus, page: PageOfTree): Fragment {
  const { name, called, state, url, lastReadAt, blind, components, isWell } = page;
  const isUnknown = isUnknownSource(page);
  const tone = isUnknown ? 'stale' : isWell && components.notOperational.length === 0 ? 'ok' : 'warn';
  return html`<li id="page-${name}">
    <p class="not">
      ${renderGlyph(tone)}<span>${toOneLine(called)}</span><span>${formatReadTime(page, isUnknown)}</span>
    </p>
    ${
      isUnknown && !isAwaited(page)
        ? html`<p class="well">
            ${state === null ? 'Not known' : `${toOneLine(state)}, as last seen`}${lastReadAt === null ? '' : html`, ${renderHour(status, lastReadAt)}`}
          </p>`
        : null
    }
    ${components.total === 0 && !isUnknown ? html`<p class="well">${toOneLine(state ?? 'Not known')}</p>` : tree(status, components.all, isUnknown)}
    ${blind.length === 0 ? null : html`<p class="well">Cannot be read: ${blind.map(toOneLine).join('; ')}</p>`}
    ${url === null ? null : html`<p class="small">${renderStatusPageLink(url)}</p>`}
  </li>`;
}

function tree(status: SystemStatus, all: readonly ComponentView[], isUnknown: boolean): Fragment | null {
  if (all.length === 0) return null;
  const known = new Set(all.map(({ id }) => id));
  // Components with an unknown parent, or among their own ancestors, are at the top level.
  const top = all.filter((each) => each.parentId === null || !known.has(each.parentId) || isOwnAncestor(each, all));
  const below = Map.groupBy(
    all.filter((each) => !top.includes(each)),
    ({ parentId }) => parentId ?? '',
  );
  return html`<ul>
    ${level(status, top, below, isUnknown)}
  </ul>`;
}

function isOwnAncestor(component: ComponentView, all: readonly ComponentView[]): boolean {
  const byId = new Map(all.map((each) => [each.id, each]));
  const seen = new Set<string>();
  for (let at: ComponentView | undefined = component; at !== undefined; at = byId.get(at.parentId ?? '')) {
    if (seen.has(at.id)) return true;
    seen.add(at.id);
  }
  return false;
}

function level(
  status: SystemStatus,
  here: readonly ComponentView[],
  below: ReadonlyMap<string, ComponentView[]>,
  isUnknown: boolean,
): Fragment {
  const under = (id: string): ComponentView[] => below.get(id) ?? [];
  const hasTrouble = (each: ComponentView): boolean => !each.isOperational || under(each.id).some(hasTrouble);
  const lone = here.filter((each) => under(each.id).length === 0 && !hasTrouble(each));
  const others = here.filter((each) => !lone.includes(each));
  return html`${others.map(
    (each) =>
      html`<li>
        ${componentLine(status, each, isUnknown)}
        ${
          under(each.id).length === 0
            ? null
            : html`<ul>
                ${level(status, under(each.id), below, isUnknown)}
              </ul>`
        }
      </li>`,
  )}
  ${lone.length === 0 ? null : wellLine(lone, isUnknown)}`;
}

function componentLine(status: SystemStatus, component: ComponentView, isUnknown: boolean): Fragment {
  const { name, state, isOperational, since } = component;
  const label = cleanName(name);
  if (isOperational) return html`<p>${isUnknown ? null : renderGlyph('ok')} ${label}</p>`;
  const isWork = state === 'under_maintenance';
  return html`<p class="not">
    ${renderGlyph(isUnknown ? 'stale' : isWork ? 'work' : 'warn')} ${label}
    <span>${formatComponentState(state).toLowerCase()} since ${renderTime(status, since)}</span>
  </p>`;
}

function wellLine(well: readonly ComponentView[], isUnknown: boolean): Fragment {
  const names = well.map(({ name }) => name);
  return html`<li class="well">
    ${well.length === 1 ? null : `${well.length}${isUnknown ? ' as last seen' : ' operational'}: `}${formatNames(names, MOST_WELL)}${well.length === 1 && !isUnknown ? ' operational' : null}
  </li>`;
}
