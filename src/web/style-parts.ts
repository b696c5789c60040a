/** How the parts of the pages look, each by its noun: alerts, stories, phones, trees, tables, forms, weeks, and the wall. */

const ALERTS = `
.alert{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem;&.crit{border-color:var(--fill)}}
.meta{display:flex;flex-wrap:wrap;gap:0 .75rem;align-items:baseline;color:var(--soft);font-size:var(--note)}
.alert > .meta > :last-child{margin-inline-start:auto}
.whom{display:block;color:var(--soft);font-size:var(--note);line-height:1.45}
.facts{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.25rem 1rem;& dt{color:var(--soft);white-space:nowrap}}
.acts{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;font-size:var(--note);& form{display:contents} & button{white-space:nowrap}}
.words{max-inline-size:64ch;padding-inline-start:.75rem;border-inline-start:2px solid var(--rule);
 & p{white-space:pre-line} & footer{margin-block-start:.25rem;color:var(--soft);font-size:var(--note)}}
.steps{display:flex;color:var(--soft);font-size:var(--note);line-height:1.35;overflow-wrap:normal;
 & li{position:relative;flex:1 1 4rem;padding:.7rem .5rem 0 0;border-block-start:2px dashed var(--rule);
  &::before{content:"";position:absolute;inset:-.42rem auto auto 0;inline-size:.7rem;block-size:.7rem;border:2px solid var(--rule);border-radius:1rem;background-color:var(--card)}}
 & .done{border-block-start:2px solid var(--fill);&::before{border-color:var(--fill);background-color:var(--fill)}}
 & .here{border-block-start:2px dashed var(--rule);color:var(--ink);font-weight:600}
 & time{display:block;color:var(--soft);font-weight:400}}
@media (width < 30rem){.steps{flex-direction:column;
 & li,& .done,& .here{flex:none;padding:.1rem 0 .1rem 1.25rem;border-block-start:0;&::before{inset-block-start:.32rem}}
 & time{display:inline;margin-inline-start:.5rem}}}
.story{& > li{position:relative;display:grid;grid-template-columns:2.75rem 1.1rem minmax(0,1fr);column-gap:.5rem;padding-block-end:1rem;
  &:not(:last-child)::before{content:"";position:absolute;inset:1.5rem auto -.1rem 3.75rem;border-inline-start:1px solid var(--rule)}
  & > time{color:var(--soft)} & > .g{margin-block-start:.22em} & > div{display:grid;gap:.25rem}}
 & > .day{display:block;padding-block-end:.5rem;color:var(--soft);font-size:var(--note);&::before{content:none!important}}
 &.brief > li{padding-block-end:.5rem;font-size:var(--note)}}
`;

const PHONES = `
.dots{display:flex;flex-wrap:wrap;gap:.17rem;align-items:center;
 & i{inline-size:.6rem;block-size:.6rem;border-radius:1rem;background-color:var(--ok-fill)}
 & .x{border:2px solid var(--crit-fill);background:linear-gradient(to bottom right,#0000 40%,var(--crit-fill) 40% 60%,#0000 60%)}
 & .q{border:1.5px dashed var(--unk);background:none}
 & svg{inline-size:100%;block-size:.75rem;border-radius:.2rem}
 & rect{fill:var(--ok-fill)} & .lost{fill:var(--crit-fill)} & .gone{fill:url(#hatch)}}
.hatch{stroke:var(--unk-fill)}
.sites{& > li{display:grid;grid-template-columns:6rem minmax(0,1fr) auto;column-gap:.75rem;align-items:center;padding-block:.4rem;border-block-start:1px solid var(--line);
  & > details{grid-column:2/-1;font-size:var(--note)}}
 & .n{text-align:end;white-space:nowrap} & .bad .n{color:var(--crit);font-weight:600}}
@media (width < 36rem){.sites > li{grid-template-columns:minmax(0,1fr) auto;& > .dots{grid-area:2/1/auto/-1;margin-block-start:.25rem} & > details{grid-column:1/-1}}}
:is(.customer,.group) + :is(.customer,.group){margin-block-start:1.5rem}
.customer > .head{margin-block-end:.25rem}
.group{& > summary{inline-size:100%;padding-block-start:.5rem;border-block-start:1px solid var(--line)} & > .customer:first-of-type{margin-block-start:.5rem}}
.names{columns:10rem;padding-block:.25rem .5rem;font-size:var(--note);line-height:1.7}
.tree{& > li{padding-block:.4rem;border-block-start:1px solid var(--line)}
 & .not{display:flex;flex-wrap:wrap;column-gap:.5rem;align-items:baseline;font-weight:600;& > :last-child{margin-inline-start:auto;font-size:var(--note);font-weight:400}}
 & ul{margin-inline-start:.45rem;padding-inline-start:1rem;border-inline-start:1px solid var(--line)}
 & .well{display:flex;flex-wrap:wrap;column-gap:.75rem;color:var(--soft);font-size:var(--note)}}
`;

const TABLES = `
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,9rem),1fr));gap:1rem 1.5rem;
 & dt{color:var(--soft);font-size:var(--note)}
 & dd{font-size:var(--figure);font-weight:600;line-height:1.25;& small{display:block;color:var(--soft);font-weight:400}}}
.rows > li{padding-block:.5rem;border-block-start:1px solid var(--line)}
.card.rows{padding-block:.5rem}
:is(.rows,.tree) > li:first-child{border-block-start:0}
.plan{display:grid;grid-template-columns:3.1rem minmax(0,1fr);column-gap:.75rem}
.date{align-self:start;padding-block:.2rem;border:1px solid var(--line);border-radius:.45rem;background-color:var(--card);color:var(--soft);font-size:var(--note);line-height:1.2;text-align:center;
 & b{display:block;color:var(--ink);font-size:var(--figure)}}
.filter{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:flex-end;margin-block-end:.75rem;font-size:var(--note);
 & .grow{flex:1 1 11rem;& input{inline-size:100%}}}
:is(.filter,.fields) label{display:grid;grid-template-columns:minmax(0,1fr);gap:.15rem;min-inline-size:0;max-inline-size:100%;color:var(--soft)}
.filter label.check{display:flex;align-items:center;min-block-size:2rem;color:inherit}
.fields{display:grid;gap:.75rem;max-inline-size:34rem;font-size:var(--note);& :is(input:not([type="checkbox"]),select){inline-size:100%} & button{justify-self:start}}
.weeks{display:grid;gap:1.5rem}
.week{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:1px;border:1px solid var(--line);border-radius:var(--corner);background-color:var(--line);overflow:hidden;
 & > li{display:grid;gap:.3rem;align-content:start;min-block-size:5.5rem;padding:.4rem .5rem;background-color:var(--card);font-size:var(--note)}
 & > .past{background-color:var(--sunk)} & > .today{border-block-start:3px solid var(--ink)}
 & .job{padding-inline-start:.4rem;border-inline-start:3px solid var(--fill);background-color:var(--tint);line-height:1.3;& a{color:inherit}}}
@media (width < 48rem){.week{grid-template-columns:minmax(0,1fr);& > li{min-block-size:auto} & > .idle{display:none} &:not(:has(> :not(.idle))){display:none}}}
.stack thead th{white-space:nowrap}
@media (width < 40rem){.stack{& thead{position:absolute;clip-path:circle(0)}
 & tr{display:flex;flex-wrap:wrap;column-gap:1rem;padding-block:.5rem;border-block-start:1px solid var(--line)}
 & :is(td,th){padding:0;border-block-start:0} & td{font-size:var(--note)} & tbody th{flex:1 0 100%}
 & [data-h]::before{content:attr(data-h) " ";color:var(--soft)}}}
`;

/** No element may carry a style of its own: a day's place in its row is a class. */
const DAYS = `
.bars{display:block;inline-size:100%;block-size:1.6rem;overflow:visible;
 & path{fill:none}
 & :is(.well,.told,.gone){stroke-dasharray:6 2}
 & .told{stroke:var(--ok-fill);stroke-width:8}
 & .well{stroke:var(--ok-fill);stroke-width:24} & .gone{stroke:var(--unk-fill);stroke-width:3}
 & .part{fill:var(--ok-fill)} & .foot{fill:var(--fill)} & .work{fill:url(#stripes)}}
.stripe{stroke:var(--work-fill)}
.days-of{table-layout:fixed;
 & thead th,& td{padding-block:.3rem}
 & :is(th,td):first-child{inline-size:13rem} & :is(th,td):last-child{inline-size:7.5rem;text-align:end}
 & tbody th{padding-block:.3rem;font-weight:400} & .in0 th{font-weight:500}
 & :is(td,tbody th){vertical-align:middle;line-height:1.25} & :is(td,th) small{display:block;color:var(--soft);line-height:1.25}
 & .whose th{inline-size:auto;padding-block:.9rem .3rem;font-weight:600;text-align:start}
 & .in1 th{padding-inline-start:1rem} & .in2 th{padding-inline-start:2rem} & .in3 th{padding-inline-start:3rem}
 & .ninety{position:relative}}
.scale{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));& > *{grid-row:1} & > :nth-child(n+3){grid-column:3} & > :last-child{justify-self:end}}
.marks{position:absolute;inset:0 .75rem 0 0;display:grid;grid-template-columns:repeat(90,minmax(0,1fr));
 & > li{position:relative;grid-row:1;&:is(:hover,:focus,:focus-within) .tip{display:grid}}}
.tip{position:absolute;z-index:5;inset-block-start:calc(100% - .2rem);inset-inline-start:50%;translate:-50%;display:none;gap:.15rem;inline-size:max-content;max-inline-size:20rem;padding:.5rem .75rem;border:1px solid var(--rule);border-radius:.45rem;background-color:var(--card);box-shadow:0 4px 16px rgb(0 0 0/22%);font-size:var(--note);line-height:1.4;
 .at-start > &{inset-inline-start:-.25rem;translate:0}
 .at-end > &{inset-inline:auto -.25rem;translate:0}}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;color:var(--soft);font-size:var(--note);
 & li{display:flex;gap:.4rem;align-items:center} & .bars{inline-size:.55rem;block-size:1rem}}
@media (width < 48rem){.days-of{& thead tr,& tbody tr{display:grid;grid-template-columns:minmax(0,1fr) auto;padding-block:.4rem;border-block-start:1px solid var(--line)}
 & thead tr{border-block-start:0;& > :is(:first-child,:last-child){display:none}}
 & :is(th,td),& :is(th,td):is(:first-child,:last-child){inline-size:auto;padding:0;border-block-start:0}
 & .in1 th{padding-inline-start:0}
 & .scale > :nth-child(3){display:none}
 & .ninety,& thead th{grid-area:2/1/auto/-1;padding-block:.2rem .1rem}}
 .marks{inset-inline-end:0;& > li{position:static}}
 .tip,.at-start > .tip,.at-end > .tip{inset-inline:0;translate:0;inline-size:auto;max-inline-size:none}}
${Array.from({ length: 90 }, (_, day) => `.d${day}{grid-column:${day + 1}}`).join('')}
`;

const CURVE = `
.curve{display:block;inline-size:100%;block-size:19rem;overflow:visible;
 & text{fill:var(--soft);font-size:var(--note)} & .when{fill:var(--ink);font-weight:600}
 & .level{stroke:var(--line)} & .then{stroke:var(--rule);stroke-dasharray:2 3}
 & .line{stroke:var(--fill);stroke-width:2} & .lost{fill:var(--crit-tint)} & .tick{stroke:var(--ink);stroke-width:1.5}
 & rect{fill:var(--fill)}}
@media (width < 40rem){.curve .brief{display:none}}
figure.card{margin:0;& details{margin-block-start:.5rem}}
.words del{color:var(--crit)} ins{text-decoration-color:var(--ok);text-decoration-thickness:2px}
`;

/** A screen across the room: nothing scrolls, and everything grows with it. */
const WALL = `
@media screen and (width >= 48rem){html.wall{font-size:min(1.04vw,1.85vh);
 & body{display:grid;grid-template-rows:auto minmax(0,1fr) auto;block-size:100vh;overflow:hidden;--side:2.5rem}
 & main{display:grid;grid-template-rows:auto minmax(0,1fr);min-block-size:0}
 & h1{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;font-size:3.6rem;& .g{margin-inline-end:.35em}}
 & h2{font-size:1.35rem} & h3{font-size:1.55rem}
 & .verdict{grid-template-columns:minmax(0,1fr) auto;align-items:center;padding-block:1.1rem}
 & .says{max-inline-size:none;font-size:1.6rem;line-height:1.35;& > p{max-inline-size:none}}
 & .since{font-size:1.25rem;line-height:1.2;text-align:end;& b{display:block;color:var(--tone);font-size:4.5rem;line-height:1}}
 & .page{grid-template-rows:minmax(0,1fr);grid-template-columns:minmax(0,8fr) minmax(0,5fr);grid-template-areas:none;gap:2.5rem;align-items:stretch;min-block-size:0;padding-block:1.5rem;overflow:hidden}
 & .col{gap:1.6rem;min-block-size:0;overflow:hidden}
 & .customer{& + .customer{margin-block-start:0} & details{display:none}}
 & .sites > li{grid-template-columns:12rem minmax(0,1fr) auto;padding-block:.45rem;font-size:1.5rem}
 & .dots{gap:.3rem;& i{inline-size:1.35rem;block-size:1.35rem} & .x{border-width:.2rem} & .q{border-width:.15rem} & svg{block-size:1.35rem}}
 & :is(small,.small,.masthead,.foot,.tree .well,.head p,.tree .not > :last-child){font-size:1.15rem}
 & :is(.brand,.tree,.rows){font-size:1.3rem}
 & .steps{margin-block:.6rem .5rem;font-size:1.05rem}
 & .foot{display:flex;justify-content:space-between;align-items:center;padding-block:.8rem;background-color:var(--card)}
 & .pager{display:flex;gap:.5rem;align-items:center;& i{inline-size:.8rem;block-size:.8rem;border:2px solid var(--unk-fill);border-radius:1rem} & .here{border-color:var(--ink);background-color:var(--ink)}}}}
`;

export const PARTS = ALERTS + PHONES + TABLES + DAYS + CURVE + WALL;
