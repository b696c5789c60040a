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
--unk:#5b6169;--unk-fill:#8b9199;--unk-tint:#ededeb;--shade:0 1px 2px rgb(20 22 26/5%);
--s1:.25rem;--s2:.5rem;--s3:.75rem;--s4:1rem;--s5:1.5rem;--s6:2rem;
--small:.8125rem;--text:.9375rem;--large:1.0625rem;--figure:1.3125rem;--round:.625rem;--wide:80rem;
--edge:max(clamp(1rem,3vw,2rem),calc(50% - var(--wide)/2))}
@media screen and (prefers-color-scheme:dark){:root{
--bg:#0d0f11;--card:#15181b;--sunk:#1c2024;--ink:#e9ebee;--soft:#9ea6af;--line:#272c31;--rule:#3d444b;--link:#8db8ff;--on:#0d0f11;
--ok:#62cf98;--ok-fill:#3a9a68;--ok-tint:#0f1a15;--crit:#ff857c;--crit-fill:#f25c51;--crit-tint:#291312;
--warn:#f0b955;--warn-fill:#d59633;--warn-tint:#261d0f;--work:#93bbff;--work-fill:#5c8ad6;--work-tint:#121d2f;
--unk:#9ea6af;--unk-fill:#69717a;--unk-tint:#1a1e22;--shade:none}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--line:var(--unk);--rule:var(--ink)}}
.ok{--tone:var(--ok);--fill:var(--ok-fill);--tint:var(--ok-tint)}
.crit{--tone:var(--crit);--fill:var(--crit-fill);--tint:var(--crit-tint)}
.warn{--tone:var(--warn);--fill:var(--warn-fill);--tint:var(--warn-tint)}
.work{--tone:var(--work);--fill:var(--work-fill);--tint:var(--work-tint)}
.unk{--tone:var(--unk);--fill:var(--unk-fill);--tint:var(--unk-tint)}
`;

const ELEMENTS = `
*,::before,::after{box-sizing:border-box}
html{font-size:clamp(100%,.78rem + .19vw,150%);-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:var(--text)/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1,h2,h3,p,ul,ol,dl,dd,figure,blockquote,table,fieldset{margin:0;padding:0;border:0}
h1,h2,h3,b,strong,th{font-weight:600}
h1{font-size:clamp(1.5rem,1.1rem + 1.7vw,2.375rem);line-height:1.15;letter-spacing:-.022em;text-wrap:balance}
h2,h3{font-size:var(--large);line-height:1.35;letter-spacing:-.008em}
ul,ol{list-style:none}
a{color:var(--link);text-underline-offset:.18em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
:target{outline:3px solid var(--link);outline-offset:3px}
small,.small{font-size:var(--small);line-height:1.45}
.soft{color:var(--soft)}
time,.nw{white-space:nowrap}
code{font:.92em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
table{border-collapse:collapse;width:100%;text-align:left}
th,td{padding:var(--s2) var(--s3) var(--s2) 0;vertical-align:baseline;border-top:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
thead th{border:0;color:var(--soft);font-size:var(--small);font-weight:500}
tbody th{font-weight:500}
summary{cursor:pointer;width:fit-content;color:var(--link);font-weight:500;padding:var(--s1) 0}
summary:hover{text-decoration:underline}
button,.button,input,select{font:inherit;font-size:var(--small);min-height:2rem;padding:.3rem .75rem;border:1px solid var(--rule);border-radius:.4rem;background:var(--card);color:var(--ink);max-width:100%}
button,.button{font-weight:550;cursor:pointer;text-decoration:none;display:inline-flex;align-items:center;gap:.4rem}
button:hover,.button:hover{border-color:var(--ink)}
button.main{background:var(--ink);border-color:var(--ink);color:var(--bg)}
input,select{border-color:var(--unk-fill);padding-inline:.5rem}
input[type=checkbox]{min-height:0;margin:0 .3rem 0 0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;z-index:9;background:var(--card);padding:.4rem .8rem}
.g{width:1em;height:1em;flex:none;color:var(--tone,var(--soft));vertical-align:-.13em}
.state{display:inline-flex;align-items:center;gap:.4em;color:var(--tone);font-weight:600;white-space:nowrap}
`;

const FRAME = `
.masthead{display:flex;flex-wrap:wrap;align-items:center;gap:var(--s1) var(--s5);padding:var(--s3) var(--edge);font-size:var(--small);background:var(--tint);border-top:4px solid var(--fill)}
.brand{display:flex;align-items:center;gap:.5rem;font-size:var(--text);font-weight:650}
.brand a{color:inherit;text-decoration:none;display:flex;gap:.45rem;align-items:center}
.brand svg{width:1.3rem;height:1.3rem}
.brand span{color:var(--soft);font-weight:400}
.masthead nav ul{display:flex;flex-wrap:wrap;gap:0 var(--s1);margin-inline:-.5rem}
.masthead nav a{display:block;padding:.3rem .5rem;color:var(--soft);text-decoration:none}
.masthead nav a:hover{color:var(--ink);text-decoration:underline}
.masthead nav a[aria-current]{color:var(--ink);font-weight:600;box-shadow:inset 0 -2px var(--ink)}
@media (max-width:40rem){.masthead nav{order:3;width:100%}.masthead nav ul{margin-inline:-.4rem}.masthead nav a{padding-inline:.4rem}}
.live{margin-left:auto;display:flex;align-items:center;gap:.45rem;color:var(--soft)}
.live i{width:.5rem;height:.5rem;border-radius:50%;border:2px solid var(--unk-fill)}
.live.on i{background:var(--ok-fill);border-color:var(--ok-fill)}
.live.off i{border-style:dashed}
.verdict{background:var(--tint,none);border-bottom:1px solid var(--line);padding:var(--s5) var(--edge);display:grid;gap:var(--s4) var(--s6);grid-template-columns:minmax(0,1fr);align-items:end}
.verdict h1{display:flex;gap:.42em;align-items:flex-start;margin-bottom:var(--s1)}
.verdict h1 .g{margin-top:.09em}
.says{display:grid;gap:var(--s2);font-size:var(--large);line-height:1.45}
.says>p,.says>ol{max-width:47rem}
.wall .says>p{max-width:none}
.also{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:var(--s1) var(--s5);border-top:1px solid var(--rule);padding-top:var(--s3);font-size:var(--text)}
.also a{color:inherit;text-decoration-color:var(--rule)}
.page{padding:var(--s5) var(--edge) var(--s6);display:grid;gap:var(--s6);grid-template-columns:minmax(0,1fr);align-items:start}
.col{display:grid;gap:var(--s6);grid-template-columns:minmax(0,1fr);align-content:start}
.full{grid-column:1/-1}
.head{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 var(--s4);margin-bottom:var(--s3)}
.head p,.head>a{font-size:var(--small);color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:var(--round);box-shadow:var(--shade);padding:var(--s4) clamp(.875rem,2vw,1.25rem)}
.card+.card{margin-top:var(--s3)}
.foot{padding:var(--s5) var(--edge) var(--s6);border-top:1px solid var(--line);font-size:var(--small);color:var(--soft);display:grid;gap:var(--s2)}
.foot ul{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s4)}
.says-no{background:var(--warn-tint);border-left:4px solid var(--warn-fill);padding:var(--s3) var(--s4)}
@media (min-width:62rem){
.verdict.split{grid-template-columns:minmax(0,1.55fr) minmax(0,1fr)}
.page.two{grid-template-columns:minmax(0,1.55fr) minmax(0,1fr)}
.page.three{grid-template:"a c" auto "b c" 1fr/minmax(0,1.55fr) minmax(0,1fr)}
.three>.a{grid-area:a}.three>.b{grid-area:b}.three>.c{grid-area:c}}
@media (min-width:100rem){:root{--wide:108rem}.page.three{grid-template:"a b c" 1fr/minmax(0,1.25fr) minmax(0,1.05fr) minmax(0,.95fr)}}
.fresh{animation:fresh 2.4s ease-out}
@keyframes fresh{from{background:var(--work-tint)}}
@media (prefers-reduced-motion:reduce){.fresh{animation:none}}
@media (forced-colors:active){.dots i,.days>*,.chart,.g,.live i,.steps li::before{forced-color-adjust:none}.masthead,.tip{border:1px solid}}
@media print{:root{--bg:#fff;--tint:#fff}.masthead nav,.live,.acts,.filter,.foot,.skip{display:none}.card{box-shadow:none;break-inside:avoid}.page,.page.two,.page.three{display:block}.dots i,.days>*,.chart{print-color-adjust:exact}}
`;

export const STYLE = TOKENS + ELEMENTS + FRAME + PARTS;

/** What its address ends with: another sheet has another address, and may be kept for ever under this one. */
export const STYLE_MARK = createHash('sha256').update(STYLE).digest('hex').slice(0, 12);
