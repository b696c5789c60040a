/** Figures as a reader wants them: a median with its spread, and a ratio to what was measured beside it. */

export interface Figure {
  median: number;
  least: number;
  most: number;
  runs: number;
}

/** A row of the table of results. */
export interface Row {
  what: string;
  bare: Figure | null;
  linewatch: Figure;
  unit: string;
  /** Limit: a multiple of the bare poller's figure, or a number of the unit, in the median or always. */
  wanted: { ratio: number } | { most: number } | { always: number } | null;
  /** Printed with more digits than its size requires. */
  digits?: number;
}

export function figure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) throw new Error('nothing was measured');
  const middle = Math.floor((sorted.length - 1) / 2);
  const median = ((sorted[middle] ?? least) + (sorted[sorted.length - 1 - middle] ?? most)) / 2;
  return { median, least, most, runs: sorted.length };
}

export function printed({ median, least, most, runs }: Figure, unit: string, wanted?: number): string {
  const digits = wanted ?? (median < 1 ? 2 : median < 10 ? 1 : 0);
  const spread = runs === 1 ? '' : ` (${least.toFixed(digits)}–${most.toFixed(digits)})`;
  return `${median.toFixed(digits)} ${unit}${spread}`;
}

export function isReached({ bare, linewatch, wanted }: Row): boolean | null {
  if (wanted === null) return null;
  if ('most' in wanted) return linewatch.median <= wanted.most;
  if ('always' in wanted) return linewatch.most <= wanted.always;
  return bare === null ? null : linewatch.median / bare.median <= wanted.ratio;
}

function aimOf({ wanted, unit }: Row): string {
  if (wanted === null) return '';
  if ('ratio' in wanted) return `≤ ${wanted.ratio} ×`;
  return 'most' in wanted ? `≤ ${wanted.most} ${unit}` : `≤ ${wanted.always} ${unit} always`;
}

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { what, bare, linewatch, unit, digits } = row;
    const ratio = bare === null ? '' : `${(linewatch.median / bare.median).toFixed(2)} ×`;
    const reached = isReached(row);
    const verdict = reached === null ? '' : reached ? 'yes' : 'no';
    return `| ${[what, bare === null ? '–' : printed(bare, unit), printed(linewatch, unit, digits), ratio, aimOf(row), verdict].join(' | ')} |`;
  });
  return [
    '| figure | bare poller | Linewatch | ratio | wanted | reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
