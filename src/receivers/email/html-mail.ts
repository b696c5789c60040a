/**
 * Renders a message as an HTML mail, with tables and inline styles for the sake of mail clients. Nothing is loaded,
 * dark mode is supported, every value is escaped.
 */
import { joinNames } from '../../core/text/plain.ts';
import { html, raw } from 'hono/html';
import type { MessageContent } from '../../core/wording/message-content.ts';
import {
  formatQuotesHeading,
  type Bar,
  type Fact,
  type Link,
  type List,
  type Quote,
} from '../../core/wording/wording.ts';
import { formatQuoteHeading, type MailParts } from './mail-parts.ts';

type Html = ReturnType<typeof html>;

const TONES = {
  info: '#2f6fba',
  warning: '#9a5b00',
  critical: '#c62828',
  resolved: '#2e7d32',
  ended: '#6b6b6b',
} as const;
const DARK_TONES = {
  info: '#7fb2ec',
  warning: '#f0b35a',
  critical: '#ff8a80',
  resolved: '#81c784',
  ended: '#b0b0b0',
} as const;

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const TEXT = `${FONT}font-size:15px;line-height:22px;color:#222222;`;
const SMALL = `${FONT}font-size:13px;line-height:19px;color:#666666;`;

const DARK_BARS = [
  ['offline', DARK_TONES.critical],
  ['registered', DARK_TONES.resolved],
  ['away', '#757575'],
]
  .map(([part, colour]) => `.bar-${part}{background:${colour}!important}.sign-${part}{color:${colour}!important}`)
  .join('');
const DARK = Object.entries(DARK_TONES)
  .map(([tone, colour]) => `.tone-${tone}{color:${colour}!important}`)
  .join('');

// Constant text, the only unescaped part of the page.
const STYLE = raw(`<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:640px){.card{border-radius:0!important}.pad{padding-left:16px!important;padding-right:16px!important}.outer{padding:0!important}}
@media (prefers-color-scheme:dark){.page{background:#121212!important}.card{background:#1e1e1e!important;border-color:#3a3a3a!important}.text{color:#e8e8e8!important}.small{color:#a8a8a8!important}.quote{border-color:#555555!important}.note{background:#3a3117!important;color:#f4e2b0!important}.button{background:#2b2b2b!important;border-color:#6a6a6a!important;color:#e8e8e8!important}.rule{border-color:#3a3a3a!important}${DARK}}
</style>`);

const BAR_STYLE = raw(`<style>@media (prefers-color-scheme:dark){${DARK_BARS}}</style>`);

/** Complete document without external resources. `title` is the title of the mail's window. */
export function renderHtmlMail(content: MessageContent, parts: MailParts, title: string): string {
  const { tone } = content;
  const inline = parts.lists
    .filter((list) => list.inline)
    .map((list) => ({ label: list.label, text: joinNames(list.items) }));
  const facts = [...content.facts, ...inline];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
        ${STYLE}${parts.lists.some(({ bars }) => bars !== undefined) ? BAR_STYLE : ''}
      </head>
      <body class="page" style="margin:0;padding:0;background:#f2f2f2;">
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="background:#f2f2f2;"
        >
          <tr>
            <td class="outer" align="center" style="padding:20px 8px;">
              <table
                role="presentation"
                class="card"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:600px;background:#ffffff;border:1px solid #dddddd;border-radius:6px;border-collapse:separate;"
              >
                <tr>
                  <td
                    style="height:6px;line-height:6px;font-size:0;background:${TONES[tone]};border-radius:5px 5px 0 0;"
                  >
                    &nbsp;
                  </td>
                </tr>
                <tr>
                  <td class="pad" style="padding:20px 28px 24px;">
                    <h1
                      class="text"
                      style="${FONT}margin:0 0 6px;font-size:20px;line-height:27px;font-weight:600;color:#111111;word-break:break-word;"
                    >
                      ${content.headline}
                    </h1>
                    <p
                      class="tone-${tone}"
                      style="${FONT}margin:0;font-size:13px;line-height:19px;font-weight:600;color:${TONES[tone]};"
                    >
                      ${content.kicker}
                    </p>
                    ${content.remarks.map(note)}${content.sentences.map(renderParagraph)}${renderFacts(facts)}${parts.lists.filter((list) => !list.inline).map((list) => (list.bars === undefined ? renderList(list) : renderBars(list, list.bars)))}${renderQuotes(parts)}${content.record.map(renderParagraph)}${renderButtons(content.links)}
                  </td>
                </tr>
                <tr>
                  <td class="pad rule" style="padding:12px 28px;border-top:1px solid #e5e5e5;">
                    <p class="small" style="${SMALL}margin:0;">Linewatch ${content.instance}</p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `;
  return String(page);
}

function note(remark: string): Html {
  return html`<p
    class="note"
    style="${FONT}margin:14px 0 0;padding:8px 12px;font-size:14px;line-height:20px;background:#fff6dd;color:#5c4600;border-radius:4px;"
  >
    ${remark}
  </p> `;
}

function renderParagraph(sentence: string): Html {
  return html`<p class="text" style="${TEXT}margin:14px 0 0;">${sentence}</p> `;
}

function renderFacts(facts: readonly Fact[]): Html {
  return html`<table
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:16px 0 0;"
  >
    ${facts.map(
      (fact) =>
        html`<tr>
          <td class="small" valign="top" style="${SMALL}line-height:22px;width:104px;padding:0 12px 4px 0;">
            ${fact.label}
          </td>
          <td class="text" valign="top" style="${TEXT}padding:0 0 4px;word-break:break-word;">${fact.text}</td>
        </tr> `,
    )}
  </table> `;
}

function renderList(list: List): Html {
  return html`<p class="text" style="${TEXT}margin:16px 0 4px;font-weight:600;">${list.label}</p>
    <ul class="text" style="${TEXT}margin:0;padding:0 0 0 20px;">
      ${list.items.map((item) => html`<li style="margin:0 0 4px;word-break:break-word;">${item}</li>`)}
    </ul> `;
}

/** Bars are coloured table cells, which every client shows without loading images. The text has the same numbers. */
function renderBars({ label, items }: List, bars: readonly Bar[]): Html {
  const [heading] = label.split(' (');
  const more = items.slice(bars.length).join(' ');
  return html`<p class="text" style="${TEXT}margin:16px 0 4px;font-weight:600;">${heading}</p>
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
      ${bars.map(
        (bar) =>
          html`<tr>
            <td class="text" width="32%" style="${TEXT}padding:3px 12px 3px 0;word-break:break-word;">${bar.label}</td>
            <td width="34%" style="padding:3px 12px 3px 0;">${renderBar(bar)}</td>
            <td class="text" style="${TEXT}padding:3px 0;">${bar.text}</td>
          </tr> `,
      )}
    </table>
    <p class="small" style="${SMALL}margin:4px 0 0;">${renderLegend(bars)}${more === '' ? '' : `; ${more}`}</p> `;
}

const BAR_COLOURS = { offline: TONES.critical, registered: TONES.resolved, away: '#9e9e9e' } as const;
const BAR_PARTS = ['offline', 'registered', 'away'] as const;

/** Shares in percent, at least 3 so that every part is visible. */
function renderBar(bar: Bar): Html {
  const all = bar.registered + bar.offline + bar.away;
  const parts = BAR_PARTS.filter((part) => bar[part] > 0);
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" aria-hidden="true">
    <tr>
      ${parts.map((part) => html`<td class="bar-${part}" bgcolor="${BAR_COLOURS[part]}" width="${Math.max(3, Math.round((bar[part] / all) * 100))}%" height="12" style="background:${BAR_COLOURS[part]};height:12px;line-height:12px;font-size:0;">&nbsp;</td>`)}
    </tr>
  </table>`;
}

function renderLegend(bars: readonly Bar[]): Html {
  const said = { offline: 'offline', registered: 'registered', away: 'logged off as usual' } as const;
  return html`${BAR_PARTS.filter((part) => bars.some((bar) => bar[part] > 0)).map(
    (part, index) =>
      html`${index === 0 ? '' : ' · '}<span class="sign-${part}" aria-hidden="true" style="color:${BAR_COLOURS[part]};"
          >■</span
        >
        ${said[part]}`,
  )}`;
}

function renderQuotes({ words, rest }: MailParts): Html | string {
  if (words.length === 0) return '';
  const missing = rest === null ? '' : html`<p class="small" style="${SMALL}margin:8px 0 0;">${rest}</p> `;
  return html`<p class="text" style="${TEXT}margin:18px 0 0;font-weight:600;">${formatQuotesHeading(words)}</p>
    ${words.map(quote)}${missing}`;
}

function quote(words: Quote): Html {
  return html`<blockquote class="quote" style="margin:10px 0 0;padding:0 0 0 12px;border-left:3px solid #cccccc;">
    <p class="small" style="${SMALL}margin:0 0 2px;">${formatQuoteHeading(words)}</p>
    <p class="text" style="${TEXT}margin:0;word-break:break-word;">${words.text.split('\n').map(line)}</p>
  </blockquote> `;
}

/** Line breaks as elements, because some clients drop those of the text. */
function line(text: string, index: number): Html {
  return index === 0 ? html`${text}` : html`<br />${text}`;
}

function renderButtons(links: readonly Link[]): Html | string {
  if (links.length === 0) return '';
  return html`<p style="margin:20px 0 0;">
    ${links.map(
      (link) =>
        html`<a
          class="button"
          href="${link.url}"
          style="${FONT}display:inline-block;margin:0 8px 8px 0;padding:9px 16px;font-size:14px;line-height:20px;font-weight:600;color:#222222;background:#f5f5f5;border:1px solid #bbbbbb;border-radius:4px;text-decoration:none;"
          >${link.text}</a
        >`,
    )}
  </p> `;
}
