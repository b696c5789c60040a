/** Style of the pages' parts: alerts, stories, customers, phones, trees, tables and forms. */

const ALERTS = `
.alert{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem;align-content:start}
.meta{display:flex;flex-wrap:wrap;gap:0 .75rem;align-items:baseline;color:var(--soft);font-size:var(--note)}
.alert > .meta > :last-child{margin-inline-start:auto}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1rem;& dt{color:var(--soft)}}
@media (width < 30rem){.facts{grid-template-columns:minmax(0,1fr);gap:0;& dt{font-size:var(--note)} & dd{margin-block-end:.5rem}}}
.words{max-inline-size:68ch;padding-inline-start:.75rem;border-inline-start:2px solid var(--rule);
 & p{white-space:pre-line} & footer{margin-block-start:.25rem;color:var(--soft);font-size:var(--note)}}
.steps{display:flex;margin-block-start:.4rem;color:var(--soft);font-size:var(--note);line-height:1.35;overflow-wrap:normal;
 & li{position:relative;flex:1 1 4rem;padding:.6rem .4rem 0 0;border-block-start:2px dashed var(--rule);
  &::before{content:"";position:absolute;inset:-.4rem auto auto 0;inline-size:.7rem;block-size:.7rem;border:2px solid var(--rule);border-radius:1rem;background-color:var(--card)}
  &:last-child{border-color:transparent}}
 & .done{border-block-start:2px solid var(--fill);&::before{border-color:var(--fill);background-color:var(--fill)}}
 & .here{border-block-start:2px dashed var(--rule);color:var(--ink);font-weight:600;&::before{inset-block-start:-.55rem;inline-size:.95rem;block-size:.95rem;border:3px solid var(--fill);background-color:var(--card)}}
 & time{display:block;color:var(--soft);font-weight:400}}
@media (width < 30rem){.steps{flex-direction:column;
 & li,& .done,& .here{flex:none;padding:.1rem 0 .1rem 1.4rem;border-block-start:0;&::before{inset-block-start:.3rem}}
 & time{display:inline;margin-inline-start:.5rem}}}
.story{& > li{position:relative;display:grid;grid-template-columns:2.75rem 1rem minmax(0,1fr);column-gap:.75rem;padding-block-end:1rem;
  &:not(:last-child)::before{content:"";position:absolute;inset:1.5rem auto -.05rem 4rem;border-inline-start:1px solid var(--rule)}
  &:last-child{padding-block-end:0}
  & > time{color:var(--soft)} & > .g{margin-block-start:.25em} & > div{display:grid;gap:.25rem}}
 & > .day{display:block;padding-block-end:.5rem;color:var(--soft);font-size:var(--note);&::before{content:none!important}}
 &.brief > li{padding-block-end:.5rem;font-size:var(--note)}}
`;

const CUSTOMERS = `
.dots{display:flex;flex-wrap:wrap;gap:2px;align-items:center;
 & i{inline-size:.5625rem;block-size:.5625rem;border-radius:1rem;background-color:var(--ok-fill)}
 & .x{border:1.5px solid var(--crit-fill);background:linear-gradient(to bottom right,#0000 40%,var(--crit-fill) 40% 60%,#0000 60%)}
 & .q{border:1.5px dashed var(--unk);background:none}
 & svg{inline-size:100%;block-size:.75rem} & rect{fill:var(--ok-fill)} & .lost{fill:var(--crit-fill)} & .gone{fill:url(#hatch);stroke:var(--unk-fill)}}
.hatch{stroke:var(--unk-fill)}
p + .sites{margin-block-start:.5rem}
.sites > li{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:0 .75rem;align-items:baseline;padding-block:.4rem;border-block-start:1px solid var(--line);
 &:first-child{border-block-start:0;padding-block-start:0} &:last-child{padding-block-end:0}
 & .dots{grid-area:2/1/auto/-1;gap:3px;padding-block:.15rem .2rem;& i{inline-size:.8125rem;block-size:.8125rem}}
 & > details{grid-column:1/-1} & .sub{color:var(--soft);font-size:var(--note)} & .n{white-space:nowrap;& b{color:var(--crit)}}}
.names{columns:9.5rem;padding-block:.25rem;font-size:var(--note);line-height:1.7}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(13.5rem,100%),1fr));gap:.75rem}
.tile{display:grid;grid-template-columns:minmax(0,1fr) auto;grid-template-rows:1fr auto auto;gap:.1rem .5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:var(--corner);background-color:var(--card);box-shadow:var(--lift);
 & a{color:inherit;font-weight:550;text-decoration:none;&:hover{text-decoration:underline}}
 & .n{color:var(--soft);white-space:nowrap;& b{color:var(--ink)}}
 & small,& .lane{grid-column:1/-1;color:var(--soft)} & .lane{block-size:1.1rem}
 &.unk{border:1px dashed var(--edge)} & .g{color:var(--tone)}}
@media (width >= 100rem){.tiles{grid-template-columns:repeat(auto-fill,minmax(20rem,1fr))}}
@media (width < 34rem){.tiles{gap:0;border:1px solid var(--line);border-radius:var(--corner);background-color:var(--card)}
 .tile,.tile.unk{padding-block:.5rem;border:0;border-block-start:1px solid var(--line);border-radius:0;background:none;box-shadow:none;&:first-child{border-block-start:0} &:not(.some) :is(small,.lane){display:none}}}
.cust{& :is(td,th){padding-block:.45rem .5rem;line-height:1.4} & thead th{padding-block:0 .25rem}
 & :is(tbody th,.whose){inline-size:13.5rem} & th a{color:inherit;text-decoration-color:var(--rule)}
 & small{display:block;color:var(--soft);font-weight:400} & .dots{min-block-size:1.4em}
 & .n{inline-size:7rem;text-align:end;white-space:nowrap;& b{color:var(--tone);font-size:var(--lead);line-height:1}}}
@media (width >= 100rem){.cust .dots i{inline-size:.75rem;block-size:.75rem}}
@media (width < 44rem){.cust{&,& tbody{display:block} & thead{position:absolute;clip-path:circle(0)}
 & tr{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem .75rem;padding-block:.55rem;border-block-start:1px solid var(--line);&:first-child{border-block-start:0}}
 & :is(td,th,.n,.whose){inline-size:auto;padding:0;border-block-start:0} & .phones{grid-area:2/1/auto/-1}}}
.tree{& > li{padding-block:.4rem;border-block-start:1px solid var(--line);&:first-child{border-block-start:0;padding-block-start:0}}
 & .not{display:flex;flex-wrap:wrap;column-gap:.5rem;align-items:baseline;font-weight:550;& > :last-child{margin-inline-start:auto;color:var(--soft);font-size:var(--note);font-weight:400}}
 & ul{margin-inline-start:.45rem;padding-inline-start:.9rem} & .well{color:var(--soft);font-size:var(--note)}}
`;

const TABLES = `
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(8.5rem,100%),1fr));gap:.75rem 1.5rem;
 & dt{color:var(--soft);font-size:var(--note)}
 & dd{font-size:var(--figure);font-weight:600;line-height:1.3;letter-spacing:-.015em;& small{display:block;color:var(--soft);font-weight:400;letter-spacing:0}}}
.verdict .figures{grid-template-columns:repeat(auto-fit,minmax(min(9.5rem,100%),1fr))}
@media (width < 44rem){.figures,.verdict .figures{grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem 1rem}}
.rows > li{padding-block:.5rem;border-block-start:1px solid var(--line);&:first-child{border-block-start:0;padding-block-start:0} &:last-child{padding-block-end:0}}
.rows .x{display:flex;gap:.5rem;align-items:baseline;& > .g{align-self:center} & > :last-child{margin-inline-start:auto;color:var(--soft);font-size:var(--note);text-align:end;white-space:nowrap}}
.rows small{color:var(--soft)}
.plan{display:grid;grid-template-columns:2.9rem minmax(0,1fr) auto;gap:0 .75rem;align-items:start}
.date{align-self:start;padding-block:.15rem .2rem;border:1px solid var(--line);border-radius:.5rem;color:var(--soft);font-size:var(--chart);line-height:1.2;text-align:center;
 & b{display:block;color:var(--ink);font-size:1.125rem;line-height:1.15}}
@media (width < 30rem){.plan{grid-template-columns:2.9rem minmax(0,1fr);& > :nth-child(3){grid-column:2;text-align:start}}}
.filter{display:flex;flex-wrap:wrap;gap:.5rem;align-items:flex-end;font-size:var(--note);
 & :is(input,select,button){min-block-size:2rem;font-size:var(--note)}
 & label{flex:1 1 9rem;&:has([name="month"]){flex-basis:12rem}} & .grow{flex:3 1 14rem} & :is(input:not([type]),input[type="search"],select){inline-size:100%}}
:is(.filter,.fields) label{display:grid;grid-template-columns:minmax(0,1fr);gap:.15rem;min-inline-size:0;max-inline-size:100%;color:var(--soft)}
.filter label.check{display:flex;flex:none;gap:.4rem;align-items:center;min-block-size:2rem;color:inherit}
.fields{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;& :is(input:not([type="radio"]),select){inline-size:100%} & > button{justify-self:start} & label{font-size:var(--note)} & legend{margin-block-end:.35rem;color:var(--soft);font-size:var(--note)}
 & .pair{display:flex;flex-wrap:wrap;gap:.75rem;& label{flex:1 1 10rem}}}
.pick{display:flex;flex-wrap:wrap;gap:.5rem;& label,.fields & label{display:flex;flex:none;gap:.45rem;align-items:center;min-block-size:2.25rem;padding:.4rem .7rem;border:1px solid var(--rule);border-radius:.5rem;background-color:var(--card);color:var(--ink);
 &:has(:checked){border-color:var(--ink);box-shadow:inset 0 0 0 1px var(--ink)}}}
.preview{padding:.75rem 1rem;border-radius:.6rem;background-color:var(--sunk);& p + p{margin-block-start:.25rem}}
.months{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(12rem,100%),1fr));gap:1rem 1.5rem}
.month{& :is(td,th){inline-size:14.28%;padding:.1rem;border:0;font-size:var(--note);text-align:center!important} & caption{padding-block-end:.25rem;font-weight:600;text-align:start} & th{color:var(--soft)} & td > *{display:inline-block;min-inline-size:1.75rem;border-radius:.4rem;line-height:1.65rem}
 & a{border:1px solid var(--work-fill);background-color:var(--work-tint);color:var(--work);font-weight:600;text-decoration:none} & .past{color:var(--soft)} & .today{background-color:var(--ink);color:var(--bg);font-weight:600}}
.center{display:grid;flex:1;place-items:center;padding:1.5rem 1rem 3rem}
.sign{display:grid;gap:1rem;inline-size:min(22rem,100%);& .brand{justify-content:center;font-size:var(--figure);font-weight:650;& svg{inline-size:1.6rem;block-size:1.6rem}} & .card{padding:1.5rem} & h1{font-size:var(--figure)} & .fields > button{inline-size:100%}}
.stack thead th{white-space:nowrap}
@media (width >= 44rem){.stack .r > .acts{justify-content:end}}
.stack :is(td,tbody th) > small{display:block}
.filter + :is(.tiles,table){margin-block-start:.75rem}
@media (width < 68rem){.page > .col{display:contents;& > *{grid-column:1/-1} & > #planned-work{order:1}}}
@media (width < 44rem){.stack{& td:empty{display:none} &,& tbody{display:block} & thead{position:absolute;clip-path:circle(0)}
 & tr{display:flex;flex-wrap:wrap;column-gap:1rem;align-items:baseline;padding-block:.5rem;border-block-start:1px solid var(--line);&:first-child{border-block-start:0}}
 & :is(td,th,td.r){padding:0;border-block-start:0;text-align:start} & td{font-size:var(--note)} & tbody th{flex:1 0 100%}
 & [data-h]:not([data-h=""])::before{content:attr(data-h) " ";color:var(--soft)}}}
.until{margin-block-start:.75rem}
.pick:not(:has([value="other"]:checked)) + .until{display:none!important}
.muting{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:0 .6rem;align-items:start;& > .g{margin-block-start:.3em}}
.preview ul{margin-block:.25rem}
`;

export const PARTS = ALERTS + CUSTOMERS + TABLES;
