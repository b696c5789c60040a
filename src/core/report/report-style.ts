/** Inline CSS of the HTML report. */
export const REPORT_STYLE = `
  :root { color-scheme: light; }
  body { font: 15px/1.5 system-ui, sans-serif; color: #1d2430; background: #fff; max-width: 64rem; margin: 2rem auto; padding: 0 1.5rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.7rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 2px solid #d5dae3; padding-bottom: .3rem; }
  h3 { font-size: 1rem; margin: 1.4rem 0 .2rem; } p { margin: .2rem 0; } .quiet { color: #545e70; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid #e4e8ef; vertical-align: top; }
  th:first-child, td:first-child { text-align: left; } th { font-weight: 600; color: #545e70; overflow-wrap: normal; }
  ol { list-style: none; margin: .4rem 0 0; padding: 0 0 0 .8rem; border-left: 3px solid #e4e8ef; } li { margin: .3rem 0; }
  q { white-space: pre-line; } code { font-size: .85em; color: #545e70; overflow-wrap: anywhere; }
  section { break-inside: auto; } article, tr, li { break-inside: avoid; }
  @media print { body { margin: 0; max-width: none; font-size: 11px; } }
`;
