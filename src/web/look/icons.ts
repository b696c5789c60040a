/** Icons of the pages: each state has its own shape, besides its colour. */
import { html, raw } from 'hono/html';
import type { VerdictTone } from '../../core/view/verdict/verdict.ts';

export type Fragment = ReturnType<typeof html>;

/** `as` gives it the colour of another tone. Hidden from screen readers, as the text beside it says the same. */
export function renderGlyph(
  tone: VerdictTone | 'stale' | 'muted' | 'person' | 'info' | 'phone' | 'pen',
  as: VerdictTone | '' = '',
): Fragment {
  const own = as !== '' ? as : tone === 'stale' ? 'unk' : tone;
  return html`<svg class="g ${own}" aria-hidden="true"><use href="#${tone}" /></svg>`;
}

const ICONS: Readonly<Record<VerdictTone, string>> = {
  ok: `<circle cx='8' cy='8' r='7.5' fill='#146c3c'/><path d='m4.5 8.3 2.4 2.4 4.6-5.2' fill='none' stroke='#fff' stroke-width='2'/>`,
  crit: `<path fill='#d0352b' d='M4.9.5h6.2l4.4 4.4v6.2l-4.4 4.4H4.9L.5 11.1V4.9z'/><path d='m5 5 6 6m0-6-6 6' stroke='#fff' stroke-width='2'/>`,
  warn: `<path fill='#d99a16' d='M8 .8 15.8 15H.2z'/><path d='M8 5.6v4.6m0 1.5v1.8' stroke='#000' stroke-width='1.8'/>`,
  work: `<rect x='1' y='1' width='14' height='14' rx='2.5' fill='#2f66c4'/><path d='m4 12 8-8' stroke='#fff' stroke-width='2'/>`,
  unk: `<circle cx='8' cy='8' r='6.8' fill='#fff' stroke='#5b6169' stroke-width='1.6' stroke-dasharray='3 2'/><path d='M6 6.4c0-2.6 4-2.6 4 0C10 7.9 8 7.8 8 9.5m0 1.3v1.5' fill='none' stroke='#5b6169' stroke-width='1.5'/>`,
};

/** A data URL. */
export function renderFavicon(tone: VerdictTone): string {
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${ICONS[tone]}</svg>`)}`;
}

// Constant markup, as below: the only unescaped parts of the pages.
export const MARK = raw(
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M1 13h4.2l2.3-7.6 3.6 11.2L13.4 9l1.2 4H19" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linejoin="round" stroke-linecap="round"/></svg>',
);

const RING = '<circle cx="8" cy="8" r="6.9" fill="none" stroke="currentColor" stroke-width="1.5"';
const symbol = (id: string, body: string): string => `<symbol id="${id}" viewBox="0 0 16 16">${body}</symbol>`;
const line = (d: string, width = 1.5, ink = 'currentColor'): string =>
  `<path d="${d}" fill="none" stroke="${ink}" stroke-width="${width}"/>`;

/** A shape for each state: disc, octagon, triangle, square, broken ring. */
export const SYMBOLS = raw(
  `<svg class="hidden" aria-hidden="true" focusable="false">${[
    symbol(
      'ok',
      `<circle cx="8" cy="8" r="7.2" fill="currentColor"/>${line('m4.7 8.3 2.3 2.3 4.3-4.9', 1.9, 'var(--on)')}`,
    ),
    symbol(
      'crit',
      `<path d="M5.1.9h5.8l4.2 4.2v5.8l-4.2 4.2H5.1L.9 10.9V5.1z" fill="currentColor"/>${line('m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2', 1.9, 'var(--on)')}`,
    ),
    symbol(
      'warn',
      `<path d="M8 1 15.6 14.8H.4z" fill="currentColor"/>${line('M8 5.6v4.6m0 1.5v1.8', 1.8, 'var(--on)')}`,
    ),
    symbol(
      'work',
      `<rect x="1.4" y="1.4" width="13.2" height="13.2" rx="2.4" fill="none" stroke="currentColor" stroke-width="1.6"/>${line('m4 12 8-8M4 7.5 7.5 4M8.5 12 12 8.5', 1.6)}`,
    ),
    symbol('unk', `${RING} stroke-dasharray="2.7 2"/>${line('M6 6.4c0-2.6 4-2.6 4 0C10 7.9 8 7.8 8 9.5m0 1.3v1.5')}`),
    symbol('stale', `${RING} stroke-dasharray="2.7 2"/>${line('M8 4v4.3l2.8 1.6', 1.6)}`),
    symbol('info', `${RING}/>${line('M8 7v4.6M8 4.2V6', 1.7)}`),
    symbol(
      'muted',
      line('M3.2 11.6C4.6 10 4.3 8.3 4.4 6.6a3.6 3.6 0 0 1 7.2 0c.1 1.7-.2 3.4 1.2 5zM6.4 13.4h3.2M2 14 14 2'),
    ),
    symbol(
      'person',
      '<circle cx="8" cy="4.9" r="3.3" fill="currentColor"/><path d="M1.6 15c.3-4 2.9-5.6 6.4-5.6s6.1 1.6 6.4 5.6z" fill="currentColor"/>',
    ),
    symbol('pen', line('m2.6 13.4.7-3 7.4-7.4 2.3 2.3-7.4 7.4z')),
    symbol(
      'phone',
      `<circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" stroke-width="2"/>${line('m4.3 4.3 7.4 7.4', 2)}`,
    ),
    '<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v5" class="hatch"/></pattern><pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v4" class="stripe" stroke-width="4.6"/></pattern></defs>',
  ].join('')}</svg>`,
);
