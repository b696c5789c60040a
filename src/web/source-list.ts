/** The sources: a card for each that needs a look; where many are well, a line each behind a fold. */
import { html } from 'hono/html';
import { oneLine } from '../core/text/plain.ts';
import { span } from '../core/wording/time.ts';
import { links, listed, names, outward, time, type Fragment } from './frame.ts';
import { isLate, type Picture, type SourceView } from '../core/view/picture.ts';

/** As many sources as have a card each, however they are. */
const FEW = 8;
/** As many states as are told apart; the provider may know many. */
const MOST_STATES = 5;

export function sourceList(picture: Picture): Fragment {
  const { sources } = picture;
  const folded = sources.length <= FEW ? [] : sources.filter((source) => isWell(source) && source.type === 'account');
  const cards = sources.filter((source) => !folded.includes(source)).map((source) => sourceCard(picture, source));
  if (folded.length === 0) return html`${cards}`;
  const lines = folded.map(
    ({ name, state, unreadMs }) =>
      html`<strong>${name}</strong> ${state} <span class="soft">read ${span(unreadMs)} ago</span>`,
  );
  return html`${cards}
    <details class="card">
      <summary>${folded.length} accounts are well</summary>
      ${listed(lines, '')}
    </details>`;
}

function isUnread(source: SourceView): boolean {
  return isLate(source) || source.unreachable;
}

function isWell(source: SourceView): boolean {
  return source.state !== null && source.isWell && !isUnread(source) && source.blind.length === 0;
}

function sourceCard(picture: Picture, source: SourceView): Fragment {
  const { name, type, title, state, url, lastReadAt, unreadMs, unreachable, blind } = source;
  const late = isUnread(source);
  const read =
    lastReadAt === null
      ? html`<p class="bad">Not read in full since the start</p>`
      : html`<p class="${late ? 'bad' : 'soft'}">
          ${unreachable ? 'Unreachable; last' : 'Last'} read ${span(unreadMs)} ago, ${time(picture, lastReadAt)}
        </p>`;
  return html`<article class="card">
    <div class="head">
      <h3>${name}</h3>
      ${
        state === null
          ? html`<span class="badge warning">not known</span>`
          : html`<span class="badge ${late || !source.isWell ? 'warning' : 'good'}"
              >${late ? `was: ${state}` : state}</span
            >`
      }
    </div>
    <p class="soft">${[type, ...(title === null ? [] : [oneLine(title)]), ...source.facts].join(' · ')}</p>
    ${read}
    ${
      blind.length === 0
        ? null
        : html`<ul>
            ${blind.map((why) => html`<li>${oneLine(why)}</li>`)}
          </ul>`
    }
    ${troubled(source)} ${links([outward('Open', url)])}
  </article>`;
}

/** `Degraded SMS, Voicemail`: its parts that are not well, by how they are. */
function troubled({ troubled: parts }: SourceView): Fragment {
  const states = [...Map.groupBy(parts, ({ state }) => oneLine(state))];
  const rest = states.slice(MOST_STATES).flatMap(([, those]) => those);
  return html`${states.slice(0, MOST_STATES).map(([state, those]) => names(state, namesOf(those)))}
  ${names('Not well either', namesOf(rest))}`;
}

function namesOf(parts: SourceView['troubled']): string[] {
  return parts.map(({ name }) => name);
}
