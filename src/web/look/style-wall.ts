/**
 * Style of a wall display: readable from four metres, without scrolling; 1rem is a 67.5th of the height, and nothing is
 * below 1.4rem. On paper and on a screen that is too small, the same as a list.
 */
export const WALL = `
@media print,(width < 48rem),(height < 30rem){.board > li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem .75rem;padding-block:.5rem;border-block-start:1px solid var(--line);&:first-child{border-block-start:0}
 & .name{font-weight:550} & .dots{grid-area:2/1/auto/-1} & .n b{color:var(--tone)}}
 .side{display:grid;gap:1rem}}
@media screen and (width >= 48rem) and (height >= 30rem){html.wall{font-size:min(.8334vw,1.4815vh);
 & body{block-size:100vh;overflow:hidden;--side:2.5rem;font-size:1.6rem}
 & .masthead{display:none}
 & main{display:flex;flex-direction:column;min-block-size:0}
 & .verdict{grid-template-columns:minmax(0,1fr) max-content;gap:2.5rem;padding-block:1.5rem 1rem;border-block-start:.5rem solid var(--fill)}
 & h1{font-size:4.5rem;& span{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}} & h2{font-size:1.75rem}
 & .says{max-inline-size:none;font-size:1.85rem;line-height:1.35;& > p{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}}
 & .clock{color:var(--soft);font-size:1.5rem;line-height:1.3;text-align:end;& b{display:block;color:var(--ink);font-size:5.5rem;font-weight:650;line-height:1;letter-spacing:-.04em} & .crit{color:var(--crit);font-weight:600}}
 & .page{flex:1;grid-template:minmax(0,1fr)/minmax(0,2.2fr) minmax(0,1fr);gap:2.5rem;min-block-size:0;padding-block:.75rem 1.25rem;& > *{grid-column:auto;min-block-size:0}}
 & .page.one{grid-template:minmax(0,1fr)/minmax(0,1fr)}
 & .board{display:grid;grid-auto-rows:minmax(0,7rem);align-content:start;
  & > li{display:grid;grid-template-columns:21.5rem minmax(0,1fr) 10rem;gap:1.25rem;align-items:center;min-block-size:0;border-block-start:1px solid var(--line);&:first-child{border-block-start:0}}
  & .name{overflow:hidden;font-size:1.65rem;font-weight:600;line-height:1.3;letter-spacing:-.015em;white-space:nowrap;text-overflow:ellipsis;
   &.long{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;font-size:1.4rem;line-height:1.12;white-space:normal}}
  & .n{text-align:end;white-space:nowrap;& b{color:var(--tone);font-size:2.2rem;letter-spacing:-.02em}}}
 & .dots{flex-wrap:nowrap;gap:.2rem;& i{flex:none;inline-size:.92rem;block-size:.92rem} & .x{border-width:.17rem} & .q{border-width:.15rem} & svg{block-size:1.2rem}}
 & .side{display:grid;align-content:space-between;gap:1rem;overflow:hidden;& section{display:grid;gap:.5rem}}
 & .steps{margin-block-start:.9rem;font-size:1.4rem;& li{padding-block-start:1rem;border-block-start-width:4px;&::before{inset-block-start:-.75rem;inline-size:1.2rem;block-size:1.2rem;border-width:4px;background-color:var(--bg)}}
  & .done::before{background-color:var(--fill)} & .here::before{inset-block-start:-.95rem;inline-size:1.6rem;block-size:1.6rem;border-width:5px;background-color:var(--bg)}}
 & :is(small,.small,.soft,.rows small,.rows .x > :last-child){font-size:1.45rem}
 & .rows > li{padding-block:.55rem} & .rows .x > :nth-child(2){display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
 & .tiles{block-size:100%;grid-template-columns:repeat(5,minmax(0,1fr));grid-auto-rows:minmax(0,11rem);align-content:start;gap:1.1rem;&.many{grid-template-columns:repeat(8,minmax(0,1fr));gap:.7rem}}
 & .tile{grid-template-rows:minmax(0,1fr) auto auto;align-items:end;min-block-size:0;overflow:hidden;padding:1rem 1.25rem;border-radius:1rem;
  & a,& .name{grid-column:1/-1;align-self:start;overflow:hidden;font-size:1.7rem;font-weight:550;line-height:1.2;letter-spacing:-.015em}
  & small{grid-area:2/1} & .n{grid-area:2/2;font-size:1.45rem;line-height:1;& b{font-size:2.6rem;letter-spacing:-.03em}} & .lane{block-size:1.5rem}}
 & .many .tile{padding:.6rem .8rem;& .name{font-size:1.4rem} & .n{grid-column:1/-1;& b{font-size:1.8rem}}}
 & .board .more{grid-column:2/-1;color:var(--soft)} & .wall-tiles{display:grid;grid-template-rows:minmax(0,1fr) auto;gap:1rem;min-block-size:0} & .wall-one{display:grid;grid-template-columns:minmax(0,2.2fr) minmax(0,1fr);gap:2.5rem;& .figures{grid-template-columns:minmax(0,1fr);align-content:start;font-size:1.45rem;& dt{font-size:1.45rem} & dd{font-size:2.6rem;& small{font-size:1.45rem}}}}
 & .foot{flex-wrap:nowrap;padding-block:.9rem;background-color:var(--card);font-size:1.45rem;& p{white-space:nowrap} & .live{margin:0;font-size:inherit;&.off{color:var(--warn);font-weight:600}}}}}
`;
