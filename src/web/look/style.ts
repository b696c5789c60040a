/**
 * Style of the pages: shape and words show a state before colour does; good states are small, and problems are large.
 * One sheet for all pages; the content policy forbids inline styles.
 */
import { createHash } from 'node:crypto';
import { FONT_FACES } from './font.ts';
import { PARTS } from './style-parts.ts';
import { CHARTS } from './style-charts.ts';
import { WALL } from './style-wall.ts';

/**
 * Colours by meaning, light and dark: text of every tone has a contrast of at least 5.6 to 1 on card, page and tint.
 */
const TOKENS = `
:root{color-scheme:light dark;
--bg:#f6f7f9;--card:#fff;--sunk:#eef0f3;--ink:#14171b;--soft:#555d67;--line:#e3e6eb;--rule:#c6ccd4;--edge:#838b95;--link:#1a54b8;--on:#fff;
--ok:#146c3c;--ok-fill:#2f9a66;--ok-tint:#edf6f0;--crit:#b3211a;--crit-fill:#d0352b;--crit-tint:#fdecea;
--warn:#7a4a00;--warn-fill:#b87a00;--warn-tint:#fcf3e0;--work:#2355ac;--work-fill:#5b8bdc;--work-tint:#eaf1fc;
--unk:#555d67;--unk-fill:#868e98;--unk-tint:#eceef2;--lift:0 1px 2px rgb(20 23 27/5%);
--chart:.75rem;--note:.8125rem;--text:.875rem;--lead:1rem;--figure:1.25rem;--title:clamp(1.625rem,1.15rem + 1.9vw,2.625rem);
--corner:.75rem;--column:80rem;--side:max(clamp(1rem,2.5vw,2rem),(100% - var(--column))/2)}
@media screen and (prefers-color-scheme:dark){:root{
--bg:#0b0d10;--card:#14171b;--sunk:#1c2025;--ink:#edeff2;--soft:#9ca5af;--line:#252a31;--rule:#3c434c;--edge:#6a727c;--link:#8db8ff;--on:#0b0d10;
--ok:#62cf98;--ok-fill:#36986a;--ok-tint:#0e1c16;--crit:#ff867d;--crit-fill:#f25c51;--crit-tint:#2a1413;
--warn:#f0b955;--warn-fill:#d59633;--warn-tint:#261d0f;--work:#93bbff;--work-fill:#5c8ad6;--work-tint:#121e31;
--unk:#9ca5af;--unk-fill:#6d757f;--unk-tint:#1a1e23;--lift:none}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--rule:var(--ink);--line:var(--unk)}}
@media (width >= 100rem){:root{--column:112rem}}
${['ok', 'crit', 'warn', 'work', 'unk'].map((tone) => `.${tone}{--tone:var(--${tone});--fill:var(--${tone}-fill);--tint:var(--${tone}-tint)}`).join('\n')}
`;

const ELEMENTS = `
*,*::before,*::after{box-sizing:border-box}
:where(body,h1,h2,h3,p,ul,ol,dl,dd,table,fieldset,legend,figure,blockquote){margin:0;padding:0;border:0;min-inline-size:0}
:where(h1,h2,h3,b,strong,summary){font-weight:600}
:where(ul,ol){list-style-type:none}
html{font-size:clamp(100%,.25rem + .625vw,200%);-webkit-text-size-adjust:none;text-size-adjust:none;scroll-padding-block-start:1rem;overflow-anchor:none}
body{display:flex;flex-direction:column;min-block-size:100vh;background-color:var(--bg);color:var(--ink);font-family:Inter,"Inter Fallback",system-ui,sans-serif;font-size:var(--text);line-height:1.5;overflow-wrap:anywhere}
main{flex:1}
h1{font-size:var(--title);font-weight:650;line-height:1.12;letter-spacing:-.024em;text-wrap:balance}
h2{font-size:var(--lead);line-height:1.35;letter-spacing:-.011em}
h3{font-size:var(--text);line-height:1.45}
a{color:var(--link);text-underline-offset:.2em;text-decoration-color:color-mix(in srgb,currentColor 45%,transparent);&:hover{text-decoration-color:currentColor}}
a.quiet{color:inherit;text-decoration-color:var(--rule)}
small,.small{font-size:var(--note);line-height:1.45}
p,li,dd,small{text-wrap:pretty}
.soft{color:var(--soft);font-weight:400}
time,.nw{white-space:nowrap}
.n,.r,.live,.story time,.lanes{font-variant-numeric:tabular-nums}
.r{text-align:end}
code{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;font-size:.92em}
del{color:var(--soft);text-decoration:line-through 2px var(--crit-fill)}
ins{background-color:var(--ok-tint);text-decoration:underline 2px var(--ok-fill);text-underline-offset:.2em}
:focus-visible,:target{outline:3px solid var(--link);outline-offset:2px}
table{inline-size:100%;border-collapse:collapse;
 & :is(td,th){border-block-start:1px solid var(--line);padding:.5rem 1rem .5rem 0;font-weight:400;vertical-align:baseline;text-align:start;&:last-child{padding-inline-end:0}}
 & thead th{padding-block:0 .25rem;border-block-start-width:0;color:var(--soft);font-size:var(--note)}
 & tbody th{font-weight:550} & :is(td,th).r{text-align:end}}
summary{inline-size:fit-content;padding-block:.25rem;color:var(--link);font-size:var(--note);font-weight:500;cursor:pointer;&::marker{color:var(--soft)}&:hover{text-decoration:underline}}
button,.button,input,select{min-block-size:2.25rem;max-inline-size:100%;padding:.35rem .8rem;border:1px solid var(--edge);border-radius:.5rem;background-color:var(--card);color:var(--ink);font:inherit}
button,.button{display:inline-flex;gap:.4rem;align-items:center;justify-content:center;border-color:var(--rule);box-shadow:var(--lift);font-weight:550;text-decoration:none;white-space:nowrap;cursor:pointer;&:hover{border-color:var(--ink)}}
:is(button,.button).main{border-color:var(--ink);background-color:var(--ink);color:var(--bg)}
:is(button,.button).small{min-block-size:1.875rem;padding:.15rem .6rem;font-size:var(--note)}
input:is([type="checkbox"],[type="radio"]){min-block-size:auto;inline-size:1rem;block-size:1rem;margin:0;accent-color:var(--ink);flex:none}
.hidden{position:absolute;inline-size:1px;block-size:1px;clip-path:circle(0);overflow:hidden;white-space:nowrap}
.skip{position:absolute;inset-inline-start:-100vw;&:focus{inset:.5rem auto auto 1rem;z-index:10;padding:.5rem 1rem;background-color:var(--card)}}
.g{flex:none;inline-size:1em;block-size:1em;vertical-align:-.12em;color:var(--tone,var(--soft))}
.state{display:inline-flex;gap:.4em;align-items:baseline;color:var(--tone);font-weight:600;white-space:nowrap;& .g{align-self:center}}
`;

/** The last card of an incomplete row takes the rest of it; `first`: position of the first card, modulo 3. */
function lastCards(after: string, first: 0 | 1 | 2): string {
  const last = (place: number): string =>
    `& > ${after}.w4:not(.col):last-child:nth-child(3n + ${place % 3}):nth-child(n):nth-child(n)`;
  return `${last(first)}{grid-column:span 12} ${last(first + 1)}{grid-column:span 8} ${last(first + 2)}{grid-column:span 4}`;
}

const FRAME = `
.masthead{display:flex;flex-flow:row wrap;gap:0 1.5rem;align-items:center;padding-block:.55rem;padding-inline:var(--side);border-block:4px solid var(--fill,var(--rule));border-block-end:1px solid var(--line);background-color:var(--card);font-size:var(--note);
 & nav ul{display:flex;flex-wrap:wrap;gap:0 .15rem;margin-inline:-.55rem}
 & nav a{display:block;padding:.35rem .55rem;border-radius:.4rem;color:var(--soft);text-decoration:none;
  &:hover{background-color:var(--sunk);color:var(--ink)}
  &[aria-current]{background-color:var(--sunk);color:var(--ink);font-weight:600}}}
@media (width < 52rem){.masthead nav{order:1;flex-basis:100%}}
@media (width < 26rem){.masthead{& nav ul{flex-wrap:nowrap;justify-content:space-between;gap:0;margin-inline:-.25rem} & nav a{padding-inline:.25rem;font-size:var(--chart)} & .opt{display:none}}}
.brand{display:flex;gap:.5rem;align-items:center;min-inline-size:0;font-size:var(--text);
 & a{display:inline-flex;flex:none;gap:.45rem;align-items:center;min-block-size:1.75rem;color:inherit;font-weight:650;letter-spacing:-.012em;text-decoration:none}
 & svg{inline-size:1.25rem;block-size:1.25rem}
 & span{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden;padding-inline-start:.55rem;border-inline-start:1px solid var(--rule);color:var(--soft)}}
.live{display:flex;gap:.45rem;align-items:center;margin-inline-start:auto;color:var(--soft);
 & i{inline-size:.5rem;block-size:.5rem;border:2px solid var(--unk-fill);border-radius:1rem}
 &.on i{border-color:var(--ok-fill);background-color:var(--ok-fill)}
 &.off i{border-style:dashed}}
@keyframes pulse{50%{opacity:.35}}
@media (prefers-reduced-motion:no-preference){.live.on i{animation:2.4s ease-in-out infinite pulse}}
.verdict{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem 2rem;align-items:center;padding-block:1.5rem 1rem;padding-inline:var(--side);background:linear-gradient(var(--tint,transparent),var(--bg));
 & h1{display:flex;gap:.4em;align-items:flex-start;& .g{margin-block-start:.06em}}}
.says{display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem;max-inline-size:50rem;font-size:var(--lead);line-height:1.5}
.todo{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem .75rem;& dt{color:var(--tone,inherit);font-weight:600} & dd{grid-column:2}}
.acts{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;font-size:var(--note);& form{display:contents} & > a:not(.button){padding-block:.2rem}}
.card > p + .acts{margin-block-start:.5rem}
.page,.col{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
.page{padding-block:.5rem 2rem;padding-inline:var(--side)}
.col{align-content:start;&:has(> :only-child){align-content:stretch}}
.says > .steps{margin-block:.25rem}
.card{padding:1rem clamp(.875rem,1.6vw,1.25rem);border:1px solid var(--line);border-radius:var(--corner);background-color:var(--card);box-shadow:var(--lift);&.hot{border-color:var(--fill)}}
.head{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;align-items:baseline;margin-block-end:.5rem;& > :is(p,a){color:var(--soft);font-size:var(--note)}}
.foot{display:flex;flex-wrap:wrap;gap:.5rem 2rem;justify-content:space-between;padding-block:1rem 1.5rem;padding-inline:var(--side);border-block-start:1px solid var(--line);color:var(--soft);font-size:var(--note);& ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem} & a,& .link{color:inherit}}
.says-no{padding:.75rem 1rem;border-inline-start:.25rem solid var(--warn-fill);background-color:var(--warn-tint);&.ok{border-color:var(--ok-fill);background-color:var(--ok-tint)} &.work{border-color:var(--work-fill);background-color:var(--work-tint)}}
@media (width < 36rem){.todo{grid-template-columns:minmax(0,1fr);& dd{grid-column:1}}}
@media (width >= 44rem){.page{grid-template-columns:repeat(2,minmax(0,1fr));& > *{grid-column:1/-1} & > :is(.w4,.w6):not(.col){grid-column:auto}
 & > .w4:first-child + .w4 + .w4:not(:has(+ .w4)),& > .w4:not(.col):last-child:nth-child(odd),& > .full:first-child ~ .w4:not(.col):last-child:nth-child(even){grid-column:1/-1} & > .full:first-child ~ .w4:not(.col):last-child:nth-child(odd){grid-column:auto}}}
@media (width >= 60rem){.verdict.split{grid-template-columns:minmax(0,1.45fr) minmax(0,1fr)}}
@media (width >= 68rem){.page{grid-template-columns:repeat(12,minmax(0,1fr));& > .w4:nth-child(n):nth-child(n):nth-child(n):nth-child(n){grid-column:span 4} & > .w6:nth-child(n){grid-column:span 6} & > .w8{grid-column:span 8}
 ${lastCards('', 1)} ${lastCards('.full:first-child ~ ', 2)} ${lastCards('.col ~ ', 0)}}}
@keyframes news{0%{background-color:var(--work-tint)}}
@media (prefers-reduced-motion:no-preference){.fresh{animation:2.4s ease-out news}}
@media (forced-colors:active){.dots i,.g,.live i,.steps li::before,.bars,.lane,.chart{forced-color-adjust:none}.card{border:1px solid}}
`;

/** Last, as it hides what the parts lay out: paper has no controls, and says of which time it is. */
const PRINT = `
.paper{display:none}
@media print{:root{--bg:#fff;--tint:#fff}.masthead nav,.live,.acts,.filter,.fields,.foot ul,.skip,button,.button,.card:not(:has(> :not(.head,form,.acts))){display:none!important}.paper{display:block;margin-inline-start:auto}
.verdict{background:none}.page,.page > .col{display:block}.page .card{margin-block-end:1rem}.card{box-shadow:none;break-inside:avoid}
details::details-content{content-visibility:visible;block-size:auto;opacity:1}.dots i,.bars,.lane,.chart,.steps li::before,ins{print-color-adjust:exact}}
`;

export const STYLE = FONT_FACES + TOKENS + ELEMENTS + FRAME + PARTS + CHARTS + WALL + PRINT;

/** End of its address: a changed sheet has another address, so that it may be cached for ever. */
export const STYLE_MARK = createHash('sha256').update(STYLE).digest('hex').slice(0, 12);
