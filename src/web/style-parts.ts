/** How the parts of the pages look, each by its noun: alerts, stories, phones, trees, days, charts, tables, forms, and the wall. */

const ALERTS = `
.alert{display:grid;gap:var(--s3);grid-template-columns:minmax(0,1fr)}
.alert.crit{border-color:var(--fill)}
.meta{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 var(--s3);font-size:var(--small);color:var(--soft)}
.alert>.meta>:last-child{margin-left:auto}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:var(--s1) var(--s4)}
.facts dt{color:var(--soft)}
.acts{display:flex;flex-wrap:wrap;align-items:center;gap:var(--s2) var(--s4);font-size:var(--small)}
.acts form{display:contents}
.words{border-left:2px solid var(--rule);padding-left:var(--s3);max-width:62ch}
.words p{white-space:pre-line}
.words footer{color:var(--soft);font-size:var(--small);margin-top:var(--s1)}
.steps{overflow-wrap:normal;display:grid;grid-template-columns:repeat(auto-fit,minmax(4rem,1fr));font-size:var(--small);color:var(--soft);line-height:1.35}
.steps li{border-top:2px dashed var(--rule);padding:.65rem .5rem 0 0;position:relative}
.steps li::before{content:"";position:absolute;top:-.4rem;left:0;width:.7rem;height:.7rem;border-radius:50%;background:var(--card);border:2px solid var(--rule)}
.steps .done{border-top:2px solid var(--fill)}
.steps .done::before{background:var(--fill);border-color:var(--fill)}
.steps .here{color:var(--ink);font-weight:600;border-top-style:dashed;border-top-color:var(--rule)}
.steps time{display:block;font-weight:400;color:var(--soft)}
@media (max-width:30rem){.steps{display:block}.steps li{border:0;padding:.1rem 0 .1rem 1.2rem}.steps .done,.steps .here{border:0}.steps li::before{top:.3rem}.steps time{display:inline}}
.story{display:grid}
.story>li{display:grid;grid-template-columns:2.75rem 1.1rem minmax(0,1fr);gap:0 var(--s2);padding-bottom:var(--s4);position:relative}
.story>li::before{content:"";position:absolute;left:3.75rem;top:1.5rem;bottom:-.1rem;width:1px;background:var(--rule)}
.story>li:last-child::before{display:none}
.story>li>time{color:var(--soft)}
.story>li>.g{margin-top:.22em;z-index:1}
.story>li>div{display:grid;gap:var(--s1)}
.story.brief>li{padding-bottom:var(--s2);font-size:var(--small)}
.story .day{grid-template-columns:1fr;padding-bottom:var(--s2);color:var(--soft);font-size:var(--small)}
.story .day::before{display:none}
`;

const PHONES = `
.dots{display:flex;flex-wrap:wrap;gap:3px;align-items:center}
.dots i{width:.625rem;height:.625rem;border-radius:50%;background:var(--ok-fill)}
.dots .x{border:2px solid var(--crit-fill);background:linear-gradient(135deg,transparent 41%,var(--crit-fill) 41% 59%,transparent 59%)}
.dots .q{border:1.5px dashed var(--unk);background:none}
.dots svg{width:100%;height:.75rem;border-radius:.2rem}
.dots rect{fill:var(--ok-fill)}.dots .lost{fill:var(--crit-fill)}.dots .gone{fill:url(#hatch)}
.sites>li{display:grid;grid-template-columns:7rem minmax(0,1fr) auto;gap:0 var(--s3);align-items:center;padding:.4rem 0;border-top:1px solid var(--line)}
.sites>li>details{grid-column:2/-1;font-size:var(--small)}
.sites .n{text-align:right;white-space:nowrap}
.sites .bad .n{color:var(--crit);font-weight:600}
.customer+.customer,.customer+.group,.group+.customer{margin-top:var(--s5)}
.customer>.head{margin-bottom:var(--s1)}
.group>summary{border-top:1px solid var(--line);padding-top:var(--s2);width:100%}
.group>.customer:first-of-type{margin-top:var(--s2)}
.names{columns:10rem;font-size:var(--small);line-height:1.7;padding:var(--s1) 0 var(--s2)}
@media (max-width:36rem){.sites>li{grid-template-columns:minmax(0,1fr) auto}.sites>li>.dots{grid-column:1/-1;grid-row:2;margin-top:.2rem}.sites>li>details{grid-column:1/-1}}
.tree>li{padding:.4rem 0;border-top:1px solid var(--line)}
.tree .not{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:baseline;font-weight:600}
.tree .not>:last-child{margin-left:auto;font-weight:400;font-size:var(--small)}
.tree ul{padding-left:1.05rem;border-left:1px solid var(--line);margin-left:.45rem}
.tree .well{color:var(--soft);font-size:var(--small);display:flex;flex-wrap:wrap;gap:0 var(--s3)}
`;

const DAYS = `
.days{display:grid;grid-template-columns:repeat(90,1fr);gap:2px;align-items:stretch}
.days>*{height:1.75rem;border-radius:2px;background:var(--ok-fill);position:relative;min-width:0;display:block}
.days .deg{--f:var(--warn-fill)}.days .lost{--f:var(--crit-fill)}
.days .t1{background:linear-gradient(to top,var(--f) 28%,transparent 28% 38%,var(--ok-fill) 38%)}
.days .t2{background:linear-gradient(to top,var(--f) 55%,transparent 55% 65%,var(--ok-fill) 65%)}
.days .t3{background:var(--f)}
.days :is(.deg,.lost){box-shadow:0 4px 0 -1px var(--f)}
.days :is(.t3.deg,.t3.lost){box-shadow:0 4px 0 -1px var(--f),0 -4px 0 -1px var(--f)}
.days .m{background:repeating-linear-gradient(135deg,var(--work-fill) 0 2px,var(--work-tint) 2px 4px)}
.days .u{background:linear-gradient(transparent 43%,var(--unk-fill) 43% 57%,transparent 57%);border-radius:0}
.days a:is(:hover,:focus-visible){outline:2px solid var(--ink);outline-offset:1px;z-index:3}
.tip{position:absolute;bottom:calc(100% + .4rem);left:-.5rem;width:max-content;max-width:19rem;padding:.5rem .7rem;background:var(--ink);color:var(--bg);border-radius:.4rem;font-size:var(--small);line-height:1.4;opacity:0;pointer-events:none;z-index:4}
.tip b{display:block}
.days>:nth-child(n+46) .tip{left:auto;right:-.5rem}
a:is(:hover,:focus)>.tip{opacity:1}
@media (max-width:48rem){.days>* .tip{position:fixed;inset:auto 1rem 1rem!important;width:auto;max-width:none}}
.uptimes{container:uptimes/inline-size}
.uptime{table-layout:fixed}
.uptime th:first-child{width:13rem}.uptime .p{width:5.5rem;text-align:right}
.uptime td,.uptime th{vertical-align:middle;padding-block:.4rem}
.uptime .sub{padding-left:1.1rem;font-weight:400}
.axis{display:flex;justify-content:space-between;color:var(--soft);font-size:var(--small);font-weight:400}
@container uptimes (max-width:42rem){.uptime,.uptime tbody{display:block}.uptime thead{display:none}.uptime tr{display:grid;grid-template-columns:minmax(0,1fr) auto;border-top:1px solid var(--line);padding:.5rem 0 .6rem}.uptime tr th:first-child,.uptime td{border:0;padding:0 0 .2rem;width:auto}.uptime td.bars{grid-column:1/-1;grid-row:2}.days{gap:1px}}
@container uptimes (max-width:25rem){.days{grid-template-columns:repeat(30,1fr);gap:2px}.days>*{height:1.05rem}}
.legend{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s4);font-size:var(--small);color:var(--soft)}
.legend li{display:flex;align-items:center;gap:.4rem}
.legend .days{display:block}.legend .days>*{width:.55rem;height:1.1rem}
.chart{display:block;width:100%;overflow:visible;font-size:.75rem}
.chart text{fill:var(--soft)}.chart .strong{fill:var(--ink);font-weight:600}.chart .end{text-anchor:end}.chart .mid{text-anchor:middle}
.chart .grid{stroke:var(--line)}.chart .mark{stroke:var(--rule);stroke-dasharray:2 3}
.chart .curve{fill:none;stroke-width:2;vector-effect:non-scaling-stroke;stroke:var(--crit-fill);stroke-linejoin:round}
.chart .area{fill:var(--crit-fill);opacity:.16}
.hatch{stroke:var(--unk-fill)}
@media (max-width:48rem){.chart .roomy{display:none}}
`;

const TABLES = `
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(9rem,100%),1fr));gap:var(--s4) var(--s5)}
.figures dt{color:var(--soft);font-size:var(--small)}
.figures dd{font-size:var(--figure);font-weight:600;letter-spacing:-.015em;line-height:1.25}
.figures dd small{display:block;font-weight:400;letter-spacing:0;color:var(--soft)}
.rows>li{padding:var(--s2) 0;border-top:1px solid var(--line)}
.card.rows{padding-block:var(--s2)}
.rows>li:first-child,.tree>li:first-child{border-top:0}
.plan{display:grid;grid-template-columns:3.1rem minmax(0,1fr);gap:0 var(--s3)}
.date{text-align:center;border:1px solid var(--line);border-radius:.45rem;height:fit-content;padding:.2rem 0 .25rem;font-size:var(--small);line-height:1.2;color:var(--soft);background:var(--card)}
.date b{display:block;font-size:var(--figure);color:var(--ink);line-height:1.1}
.filter{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s3);align-items:end;font-size:var(--small);margin-bottom:var(--s3)}
.filter label,.fields label{display:grid;gap:.15rem;color:var(--soft)}
.filter label.check{display:flex;align-items:center;min-height:2rem;color:var(--ink)}
.filter .grow{flex:1 1 11rem}.filter .grow input,.fields input,.fields select{width:100%}
.fields{display:grid;gap:var(--s3);max-width:34rem;font-size:var(--small)}
.fields button{justify-self:start}
.weeks{display:grid;gap:var(--s5)}
.week{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;background:var(--line);border:1px solid var(--line);border-radius:var(--round);overflow:hidden}
.week>li{background:var(--card);min-height:5.5rem;padding:.4rem .5rem;font-size:var(--small);display:grid;gap:.3rem;align-content:start}
.week .past{background:var(--sunk)}.week .today{box-shadow:inset 0 3px var(--ink)}
.week .job{border-left:3px solid var(--fill);padding-left:.4rem;line-height:1.3;background:var(--tint)}
.week .job a{color:inherit}
@media (max-width:48rem){.week{grid-template-columns:1fr}.week>li{min-height:0}.week .idle{display:none}}
@media (max-width:40rem){.stack thead{position:absolute;clip-path:inset(50%)}.stack tr{display:flex;flex-wrap:wrap;gap:0 var(--s4);border-top:1px solid var(--line);padding:var(--s2) 0}.stack td,.stack th{border:0;padding:0}.stack tbody th{flex:1 0 100%}.stack td{font-size:var(--small)}.stack [data-h]::before{content:attr(data-h) " ";color:var(--soft)}}
`;

const WALL = `
@media screen and (min-width:48rem){
html.wall{font-size:min(1.04vw,1.85vh)}
.wall body{height:100vh;overflow:hidden;display:grid;grid-template-rows:auto minmax(0,1fr) auto;--edge:2.5rem}
.wall main{display:grid;grid-template-rows:auto minmax(0,1fr);min-height:0}
.wall h1{font-size:3.7rem;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.wall h1 .g{margin-right:.35em}
.wall h2{font-size:1.35rem}.wall h3{font-size:1.55rem}
.wall .verdict{padding-block:1.1rem;grid-template-columns:minmax(0,1fr) auto;align-items:center}
.wall .says{font-size:1.6rem;max-width:none;line-height:1.35}
.wall .since{text-align:right;font-size:1.25rem;line-height:1.2}
.wall .since b{display:block;font-size:4.6rem;letter-spacing:-.03em;line-height:1;color:var(--tone)}
.wall .page{grid-template:none/1.62fr 1fr;align-items:stretch;padding-block:1.5rem;gap:2.5rem;min-height:0;overflow:hidden}
.wall .col{gap:1.6rem;min-height:0;overflow:hidden}
.wall .customer+.customer{margin-top:0}.wall .customer details{display:none}
.wall .sites>li{font-size:1.5rem;grid-template-columns:12rem minmax(0,1fr) auto;padding:.45rem 0}
.wall .dots{gap:.32rem}.wall .dots i{width:1.35rem;height:1.35rem}.wall .dots .x{border-width:.2rem}.wall .dots .q{border-width:.15rem}.wall .dots svg{height:1.35rem}
.wall .small,.wall small,.wall .tree .well,.wall .head p,.wall .masthead,.wall .foot,.wall .tree .not>:last-child{font-size:1.15rem}
.wall .brand,.wall .tree,.wall .rows{font-size:1.3rem}
.wall .steps{font-size:1.15rem;margin-block:.6rem .5rem}
.wall .foot{padding-block:.8rem;display:flex;justify-content:space-between;align-items:center;background:var(--card)}
.wall .pager{display:flex;gap:.5rem;align-items:center}
.wall .pager i{width:.8rem;height:.8rem;border-radius:50%;border:2px solid var(--unk-fill)}
.wall .pager .here{background:var(--ink);border-color:var(--ink)}}
`;

export const PARTS = ALERTS + PHONES + DAYS + TABLES + WALL;
