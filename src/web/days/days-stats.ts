/** Ninety days in a few figures: availability of the rows within the filter, and how far it is known. */
import {
  computePercentUp,
  sumDays,
  sumRow,
  sumUnknown,
  type DayAlert,
  type DayRow,
  type DaysView,
  type DayTime,
} from '../../core/report/days.ts';
import { DAY, HOUR } from '../../core/text/duration.ts';
import { capitalize } from '../../core/text/plain.ts';
import { findMedian } from '../../core/transition/collections.ts';
import { SEVERITIES } from '../../core/transition/kind.ts';
import { formatAuthor } from '../../core/wording/authors.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { formatTimeApart, isOfPhones, formatDayPercent } from './days-bars.ts';
import type { ShownSource } from './days-filter.ts';
import { renderFigureList, type Figure } from '../look/stats.ts';
import type { Fragment } from '../look/icons.ts';

/** `here`: rows within the filter; only their alerts are counted. */
export function renderDaysFigures(
  rows: readonly DayRow[],
  { alerts, keptSince, days }: DaysView,
  now: number,
  here: readonly ShownSource[],
): Fragment {
  const components = sumDays(rows.filter((row) => !isOfPhones(row)).map(sumRow));
  const phones = sumDays(rows.filter(isOfPhones).map(sumRow));
  const sources = new Set(here.map(({ source }) => source));
  const seen = alerts.filter((alert) => alert.sources.some((source) => sources.has(source)));
  const counts = SEVERITIES.toReversed().flatMap((severity) => {
    const count = seen.filter((alert) => alert.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const [providerUp, phonesUp] = [computePercentUp(components), computePercentUp(phones)];
  const all: Figure[] = [
    ...(providerUp === null ? [] : [['Components up', formatDayPercent(providerUp), downText(components)] as Figure]),
    ...(phonesUp === null
      ? []
      : [['Phones registered', formatDayPercent(phonesUp), `${hours(phones.lostMs)} phone-hours lost`] as Figure]),
    ...feltFigures(seen),
    ['Alerts', String(seen.length), counts.length === 0 ? 'none in all this time' : counts.join(', ')],
    ...(keptSince === null || now - keptSince < DAY ? [] : [unknownFigure(rows, days, keptSince)]),
  ];
  return renderFigureList(all);
}

function unknownFigure(rows: readonly DayRow[], days: DaysView['days'], keptSince: number): Figure {
  const unknown = rows.reduce((sum, row) => sum + sumUnknown(row, days, keptSince), 0);
  const { up, degraded, maintenance, noticed = 0 } = sumDays(rows.map(sumRow));
  const watched = up + degraded + maintenance - noticed;
  const share = (unknown / Math.max(1, unknown + watched)) * 100;
  const text = share === 0 ? 'nothing' : `${share < 0.1 ? 'under 0.1' : share.toFixed(1)} %`;
  return ['Not known', text, 'of the time since the watch began'];
}

function downText({ degraded, noticed = 0 }: DayTime): string {
  return `${formatElapsed(degraded)} degraded, all together${noticed === 0 ? '' : '; also by notices from before the watch'}`;
}

/** Delays between the provider's reports and own losses, for alerts with both. */
function feltFigures(alerts: readonly DayAlert[]): Figure[] {
  const felt = alerts.flatMap((alert) => alert.felt ?? []);
  const [page, ...others] = new Set(felt.map((each) => each.page));
  const by = others.length > 0 ? null : formatAuthor(page);
  const back = felt.flatMap(({ afterResolvedMs }) => afterResolvedMs ?? []);
  const of = (count: number): string => (count === 1 ? 'in one outage' : `median of ${count} outages`);
  return [
    ...(felt.length === 0
      ? []
      : [
          [
            by === null ? 'The first word' : `${capitalize(by)}’s first word`,
            formatTimeApart(findMedian(felt.map(({ lagMs }) => lagMs)) ?? 0),
            `the first lost phone, ${of(felt.length)}`,
          ] as Figure,
        ]),
    ...(back.length === 0
      ? []
      : [
          [
            'The last phone back',
            formatTimeApart(findMedian(back) ?? 0),
            `${by === null ? 'the' : `${by}’s`} “resolved”, ${of(back.length)}`,
          ] as Figure,
        ]),
  ];
}

function hours(ms: number): string {
  const count = ms / HOUR;
  return count === 0 ? 'no' : count < 10 ? count.toFixed(1) : String(Math.round(count));
}
