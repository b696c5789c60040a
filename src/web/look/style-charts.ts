/** Style of charts: lanes of hours, curves of offline phones, and days as bars. No element may have an inline style. */

const LANES = `
.lanes{display:grid;grid-template-columns:max-content minmax(0,1fr) max-content;gap:0 1rem;align-items:center;
 & > :is(span,p){white-space:nowrap} & > .n{grid-column:3;color:var(--soft);font-size:var(--note);text-align:end} & > .lane{grid-column:2}
 & > p{max-inline-size:14rem;overflow:hidden;text-overflow:ellipsis}}
.lane{display:block;inline-size:100%;block-size:1.75rem;overflow:visible;font-size:var(--chart);
 & text{fill:var(--soft);font-size:var(--chart)} & .strong{fill:var(--ink);font-weight:600}
 & .base{fill:var(--ok-fill)} & .none{fill:var(--rule)} & .later{fill:var(--bg)} & .lost{fill:var(--crit-fill)} & .down{fill:var(--warn-fill)} & .work{fill:url(#stripes);stroke:var(--work-fill)} & .gap{fill:var(--card);stroke:var(--unk);stroke-dasharray:2 2} & .on{fill:var(--card);stroke:var(--edge);stroke-width:1.5}
 & .now{stroke:var(--ink)} & .hour{stroke:var(--line)}}
.lane.axis{block-size:1.1rem}
.stripe{stroke:var(--work-fill)}
@media (width < 44rem){.lanes{grid-template-columns:minmax(0,1fr) max-content;grid-auto-flow:dense;gap:0 .75rem;& > .lane{grid-column:1/-1;grid-row:auto} & > .n{grid-column:2} & > :is(span,p){font-size:var(--note);line-height:1.25}}
 .lane:not(.axis){block-size:1.4rem} .roomy{display:none}}
.chart{display:block;inline-size:100%;block-size:12rem;overflow:visible;
 & text{fill:var(--soft);font-size:var(--chart)} & .strong{fill:var(--ink);font-weight:600}
 & .grid{stroke:var(--line)} & .then{stroke:var(--rule);stroke-dasharray:2 3}
 & .line{fill:none;stroke:var(--fill);stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round} & .area{fill:var(--fill);opacity:.16}
 & .big{fill:var(--tone);font-size:var(--figure);font-weight:650}}

.curve{display:block;inline-size:100%;block-size:17rem;overflow:visible;
 & text{fill:var(--soft);font-size:var(--chart)} & .when{fill:var(--ink);font-weight:600}
 & .level{stroke:var(--line)} & .then{stroke:var(--rule);stroke-dasharray:2 3}
 & .line{stroke:var(--fill);stroke-width:2} & .lost{fill:var(--crit-tint)} & .tick{stroke:var(--ink);stroke-width:1.5}
 & rect{fill:var(--fill)}}
@media (width < 40rem){.curve .brief{display:none}}
figure{& details{margin-block-start:.5rem}}
`;

const DAYS = `
.bars{display:block;inline-size:100%;block-size:1.6rem;overflow:visible;
 & path{fill:none}
 & :is(.well,.told,.gone){stroke-dasharray:6 2}
 & .told{stroke:var(--ok-fill);stroke-width:8}
 & .well{stroke:var(--ok-fill);stroke-width:24} & .gone{stroke:var(--unk-fill);stroke-width:3} & .never{stroke:var(--line);stroke-width:2}
 & .ahead{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke} & .part{fill:var(--ok-fill)} & .foot{fill:var(--fill)} & .work{fill:url(#stripes)}}
.head.brief{margin-block:.4rem .2rem;flex-wrap:nowrap;& > p{color:inherit;font-size:var(--text)}}.head.scale-of{margin-block:.3rem 0;& > p{font-size:var(--chart)}}
.days-of{table-layout:fixed;
 & thead th,& td{padding-block:.3rem}
 & :is(th,td):first-child{inline-size:13rem} & :is(th,td):last-child{inline-size:7.5rem;text-align:end}
 & tbody th{padding-block:.3rem;font-weight:400} & .in0 th{font-weight:500}
 & :is(td,tbody th){vertical-align:middle;line-height:1.25} & :is(td,th) small{display:block;color:var(--soft);line-height:1.25}
 & .in1 th{padding-inline-start:1rem} & .in2 th{padding-inline-start:2rem} & .in3 th{padding-inline-start:3rem}}
.days .bars path:hover{outline:2px solid var(--ink)}
.scale{display:flex;justify-content:space-between}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-block-end:.5rem;color:var(--soft);font-size:var(--note);
 & li{display:flex;gap:.4rem;align-items:center} & .bars{inline-size:.55rem;block-size:1rem}}
@media (width < 48rem){.days-of{& thead tr,& tbody tr{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:.75rem;padding-block:.4rem;border-block-start:1px solid var(--line)}
 & thead tr{border-block-start:0;& > :is(:first-child,:last-child){display:none}}
 & :is(th,td),& :is(th,td):is(:first-child,:last-child){inline-size:auto;padding:0;border-block-start:0}
 & .in1 th{padding-inline-start:0}
 & .ninety,& thead th{grid-area:2/1/auto/-1;padding-block:.2rem .1rem}}}
`;

export const CHARTS = LANES + DAYS;
