/**
 * How the pages look: what is so is said by shape and word first and by colour besides, what is well is small, and what is
 * not is large. One sheet for all pages; no element carries a style of its own, which the policy forbids.
 */
import { createHash } from 'node:crypto';
import { PARTS } from './style-parts.ts';

/** Colours by what they mean, light and dark: text of every tone reads at 6 to 1 or better on its card. */
const TOKENS = `
:root{color-scheme:light dark;
--bg:#f6f6f4;--card:#fff;--sunk:#efefec;--ink:#16181b;--soft:#565c64;--line:#e1e1dc;--rule:#c9c9c3;--link:#1b55b5;--on:#fff;
--ok:#17703f;--ok-fill:#3c9a66;--ok-tint:#eef5ee;--crit:#b3211a;--crit-fill:#d0352b;--crit-tint:#fcebe8;
--warn:#7d4d00;--warn-fill:#b87a00;--warn-tint:#fbf3df;--work:#2456ad;--work-fill:#5b8bdc;--work-tint:#eaf0fb;
--unk:#5b6169;--unk-fill:#8b9199;--unk-tint:#ededeb;--lift:0 1px 3px rgb(20 22 26/6%);
--note:.8125rem;--text:.9375rem;--lead:1.0625rem;--figure:1.3125rem;--corner:.625rem;--column:80rem;
--side:max(1rem,min(2rem,3vw),(100% - var(--column))/2)}
@media screen and (prefers-color-scheme:dark){:root{
--bg:#0d0f11;--card:#15181b;--sunk:#1c2024;--ink:#e9ebee;--soft:#9ea6af;--line:#272c31;--rule:#3d444b;--link:#8db8ff;--on:#0d0f11;
--ok:#62cf98;--ok-fill:#3a9a68;--ok-tint:#0f1a15;--crit:#ff857c;--crit-fill:#f25c51;--crit-tint:#291312;
--warn:#f0b955;--warn-fill:#d59633;--warn-tint:#261d0f;--work:#93bbff;--work-fill:#5c8ad6;--work-tint:#121d2f;
--unk:#9ea6af;--unk-fill:#69717a;--unk-tint:#1a1e22;--lift:none}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--rule:var(--ink);--line:var(--unk)}}
${['ok', 'crit', 'warn', 'work', 'unk'].map((tone) => `.${tone}{--tone:var(--${tone});--fill:var(--${tone}-fill);--tint:var(--${tone}-tint)}`).join('\n')}
`;

const ELEMENTS = `
*,*::before,*::after{box-sizing:border-box}
:where(body,h1,h2,h3,p,ul,ol,dl,dd,table,fieldset,figure,blockquote){margin:0;padding:0;border:0}
:where(h1,h2,h3,b,strong,th){font-weight:600}
:where(ul,ol){list-style-type:none}
html{font-size:clamp(1em,calc(.8em + .18vw),1.5em);-webkit-text-size-adjust:none;text-size-adjust:none;scroll-padding-block-start:1.25rem}
body{background-color:var(--bg);color:var(--ink);font-family:system-ui,"Segoe UI",Roboto,Cantarell,Arial,sans-serif;font-size:var(--text);line-height:1.5;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1{font-size:clamp(1.5rem,1rem + 2vw,2.375rem);line-height:1.16;letter-spacing:-.02em;text-wrap:balance}
h2,h3{font-size:var(--lead);line-height:1.35}
a{color:var(--link);text-underline-offset:.2em}
small,.small{font-size:var(--note);line-height:1.45}
.soft{color:var(--soft)}
time,.nw{white-space:nowrap}
code{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;font-size:.92em}
:focus-visible,:target{outline:3px solid var(--link);outline-offset:2px}
table{inline-size:100%;border-collapse:collapse;
 & :is(td,th){border-block-start:1px solid var(--line);padding:.5rem .75rem .5rem 0;vertical-align:baseline;text-align:start;&:last-child{padding-inline-end:0}}
 & thead th{border-block-start-width:0;color:var(--soft);font-size:var(--note);font-weight:500}
 & tbody th{font-weight:500}}
summary{inline-size:fit-content;padding-block:.25rem;color:var(--link);font-weight:500;cursor:pointer;&:hover{text-decoration:underline}}
button,.button,input,select{min-block-size:2rem;max-inline-size:100%;padding:.25rem .7rem;border:1px solid var(--rule);border-radius:.375rem;background-color:var(--card);color:inherit;font:inherit;font-size:var(--note)}
button,.button{display:inline-flex;gap:.4rem;align-items:center;font-weight:550;text-decoration:none;cursor:pointer;&:hover{border-color:currentColor}}
:is(button,.button).main{border-color:var(--ink);background-color:var(--ink);color:var(--bg)}
input,select{border-color:var(--unk-fill);padding-inline:.55rem}
input[type="checkbox"]{min-block-size:auto;margin:0 .35rem 0 0}
.hidden{position:absolute;inline-size:1px;block-size:1px;clip-path:circle(0);overflow:hidden;white-space:nowrap}
.skip{position:absolute;inset-inline-start:-100vw;&:focus{inset:.5rem auto auto 1rem;z-index:10;padding:.5rem 1rem;background-color:var(--card)}}
.g{flex:none;inline-size:1em;block-size:1em;vertical-align:-.14em;color:var(--tone,var(--soft))}
.state{display:inline-flex;gap:.4em;align-items:baseline;color:var(--tone);font-weight:600;white-space:nowrap;& .g{translate:0 .14em}}
`;

const FRAME = `
.masthead{display:flex;flex-flow:row wrap;gap:.25rem 1.5rem;align-items:center;padding-block:.7rem;padding-inline:var(--side);border-block-start:.25rem solid var(--fill);background-color:var(--tint);font-size:var(--note);
 & nav ul{display:flex;flex-wrap:wrap}
 & nav a{display:block;padding:.3rem .55rem;color:var(--soft);text-decoration:none;
  &:hover{color:var(--ink);text-decoration:underline}
  &[aria-current]{color:var(--ink);font-weight:600;border-block-end:2px solid}}}
@media (width < 40rem){.masthead nav{order:1;flex-basis:100%;margin-inline:-.55rem}}
.brand{display:flex;gap:.5rem;align-items:center;font-size:var(--text);font-weight:650;
 & a{display:inline-flex;flex:none;gap:.4rem;align-items:center;color:inherit;text-decoration:none}
 & svg{inline-size:1.3rem;block-size:1.3rem}
 & span{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--soft);font-weight:400}}
.live{display:flex;gap:.4rem;align-items:center;margin-inline-start:auto;color:var(--soft);
 & i{inline-size:.55rem;block-size:.55rem;border:2px solid var(--unk-fill);border-radius:1rem}
 &.on i{border-color:var(--ok-fill);background-color:var(--ok-fill)}
 &.off i{border-style:dashed}}
.verdict{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem 2rem;align-items:end;padding-block:1.5rem;padding-inline:var(--side);border-block-end:1px solid var(--line);background-color:var(--tint,transparent);
 & h1{display:flex;gap:.4em;align-items:flex-start;margin-block-end:.25rem;& .g{margin-block-start:.08em}}}
.says{display:grid;gap:.5rem;font-size:var(--lead);line-height:1.45;& > :is(p,ol){max-inline-size:48rem}}
.todo{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:.75rem;& b{color:var(--tone)}}
.also{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;padding-block-start:.7rem;border-block-start:1px solid var(--rule);font-size:var(--text);& a{color:inherit}}
.page,.col{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem;align-content:start}
.page{align-items:start;padding-block:1.5rem 2rem;padding-inline:var(--side)}
.full{grid-column:1/-1}
.head{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;align-items:baseline;margin-block-end:.7rem;& > :is(p,a){color:var(--soft);font-size:var(--note)}}
.card{padding:1rem clamp(.85rem,2vw,1.25rem);border:1px solid var(--line);border-radius:var(--corner);background-color:var(--card);box-shadow:var(--lift);& + .card{margin-block-start:.75rem}}
.foot{display:grid;gap:.5rem;padding-block:1.5rem 2rem;padding-inline:var(--side);border-block-start:1px solid var(--line);color:var(--soft);font-size:var(--note);& ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem}}
.says-no{padding:.75rem 1rem;border-inline-start:.25rem solid var(--warn-fill);background-color:var(--warn-tint)}
@media (width >= 62rem){
 .verdict.split,.page.two,.page.three{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
 .page.three{grid-template-areas:"a c" "b c";grid-template-rows:auto 1fr;& > .a{grid-area:a} & > .b{grid-area:b} & > .c{grid-area:c}}}
@media (width >= 100rem){:root{--column:106rem}
 .page.three{grid-template-areas:"a b c";grid-template-rows:auto;grid-template-columns:minmax(0,5fr) minmax(0,4fr) minmax(0,4fr)}}
@keyframes news{0%{background-color:var(--work-tint)}}
@media (prefers-reduced-motion:no-preference){.fresh{animation:2.4s ease-out news}}
@media (forced-colors:active){.dots i,.g,.live i,.steps li::before{forced-color-adjust:none}.masthead{border:1px solid}}
@media print{:root{--bg:white;--tint:white}.masthead nav,.live,.acts,.filter,.foot,.skip{display:none}.page,.page.two,.page.three{display:block}.card{box-shadow:none;break-inside:avoid}.dots i{print-color-adjust:exact}}
`;

export const STYLE = TOKENS + ELEMENTS + FRAME + PARTS;

/** What its address ends with: another sheet has another address, and may be kept for ever under this one. */
export const STYLE_MARK = createHash('sha256').update(STYLE).digest('hex').slice(0, 12);
