/** Many nights in a few numbers. */
import type { Culprit } from './night.ts';
import { WORD_FAULTS, type WordFaults } from './words.ts';
import { CLAIMS, type ClaimKind, type Judgement, type Verdict } from './oracle.ts';

const CULPRITS: readonly Culprit[] = ['site', 'device', 'phone', 'provider'];

export interface Figures {
  nights: number;
  /** Decidable causes by culprit and by what was said of them; one over many customers counts once. */
  matrix: Record<Culprit, Record<ClaimKind, number>>;
  decidable: number;
  right: number;
  providerNights: number;
  accused: number;
  otherNights: number;
  suspected: number;
  noiseNights: number;
  falseAlarms: number;
  falseAllClears: number;
  contradictions: number;
  certaintyFalls: number;
  causesFirst: number;
  silentGrowth: number;
  /** Nights in which something is wrong as it is read, by what. */
  words: Record<keyof WordFaults, number>;
  untold: number;
  toldAfterMinutes: Spread;
  endedAfterMinutes: Spread;
  residual: { expected: number; told: number };
  messages: Spread;
  firmMessages: Spread;
  /** To the receiver of one customer, where a firm serves many. */
  customerMessages: Spread;
}

export interface Spread {
  median: number;
  ninetieth: number;
  most: number;
}

export function figuresOf(all: readonly Judgement[]): Figures {
  const matrix = Object.fromEntries(
    CULPRITS.map((culprit) => [culprit, Object.fromEntries(CLAIMS.map((claim) => [claim, 0]))]),
  ) as Figures['matrix'];
  const verdicts = all.flatMap((one) => one.verdicts);
  const decidable = verdicts.filter((verdict) => verdict.decidable);
  for (const { culprit, claim, weight } of decidable) matrix[culprit][claim] += weight;
  const weigh = (some: readonly Verdict[]): number => some.reduce((sum, { weight }) => sum + weight, 0);
  const noise = all.filter(({ isNoise }) => isNoise);
  const providers = all.filter(({ isProviders }) => isProviders);
  const others = all.filter(({ isProviders }) => !isProviders);
  const count = (
    key:
      | 'falseAllClears'
      | 'contradictions'
      | 'certaintyFalls'
      | 'causesFirst'
      | 'silentGrowth'
      | 'accusations'
      | 'suspicions',
    of = all,
  ): number => of.filter((one) => one[key].length > 0).length;
  return {
    nights: all.length,
    matrix,
    decidable: weigh(decidable),
    right: weigh(decidable.filter(({ right }) => right)),
    providerNights: providers.length,
    accused: count('accusations', providers),
    otherNights: others.length,
    suspected: count('suspicions', others),
    noiseNights: noise.length,
    falseAlarms: noise.filter(({ falseAlarms }) => falseAlarms.length > 0).length,
    falseAllClears: count('falseAllClears'),
    contradictions: count('contradictions'),
    certaintyFalls: count('certaintyFalls'),
    causesFirst: count('causesFirst'),
    silentGrowth: count('silentGrowth'),
    words: Object.fromEntries(
      WORD_FAULTS.map((fault) => [fault, all.filter(({ words }) => words[fault].length > 0).length]),
    ) as Figures['words'],
    untold: verdicts.filter(({ isUntold }) => isUntold).length,
    toldAfterMinutes: spread(
      verdicts.flatMap(({ toldAfterMs }) => (toldAfterMs === null ? [] : [toldAfterMs / 60_000])),
    ),
    endedAfterMinutes: spread(all.flatMap(({ endedAfterMs }) => endedAfterMs.map((ms) => ms / 60_000))),
    residual: {
      expected: all.reduce((sum, { residual }) => sum + residual.expected, 0),
      told: all.reduce((sum, { residual }) => sum + residual.told, 0),
    },
    messages: spread(all.filter((one) => !isOfFirm(one)).map(({ messages }) => messages)),
    firmMessages: spread(all.filter(isOfFirm).map(({ messages }) => messages)),
    customerMessages: spread(
      all.filter(isOfFirm).flatMap(({ ofCustomers }) => ofCustomers.map(({ messages }) => messages)),
    ),
  };
}

/** More than one customer is watched. */
function isOfFirm({ ofCustomers }: Judgement): boolean {
  return ofCustomers.length > 1;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { median: at(0.5), ninetieth: at(0.9), most: at(1) };
}

const LABELS: Readonly<Record<keyof WordFaults, string>> = {
  repeated: 'the same words twice',
  tooMany: 'more phones than there are',
  badEnds: 'no end, or two',
  halfEnds: 'ends above phones still offline',
  movedBeginnings: 'beginnings that move',
};

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const range = ({ median, ninetieth, most }: Spread): string =>
  `median ${median}, 9 of 10 within ${ninetieth}, at most ${most}`;

export function write(figures: Figures): string {
  const shown = CLAIMS.filter((claim) => CULPRITS.some((culprit) => figures.matrix[culprit][claim] > 0));
  const rows = CULPRITS.map((culprit) => [culprit, ...shown.map((claim) => figures.matrix[culprit][claim].toFixed(0))]);
  const table = [['it was', ...shown], ...rows].map((row) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(13))).join(''),
  );
  return [
    `${figures.nights} nights; the cause that was named before it ended:`,
    ...table,
    '',
    `right causes                      ${percent(figures.right, figures.decidable)} of ${figures.decidable.toFixed(0)} decidable`,
    `routers blamed for the provider   ${figures.accused} of ${figures.providerNights} nights (${percent(figures.accused, figures.providerNights)})`,
    `provider blamed for others        ${figures.suspected} of ${figures.otherNights} nights (${percent(figures.suspected, figures.otherNights)})`,
    `alarms of noise                   ${figures.falseAlarms} of ${figures.noiseNights} nights`,
    `false all-clears                  ${figures.falseAllClears} nights`,
    `contradicting advice              ${figures.contradictions} nights`,
    `less sure than before             ${figures.certaintyFalls} nights`,
    `cause before the loss             ${figures.causesFirst} nights`,
    `growth not told                   ${figures.silentGrowth} nights`,
    ...WORD_FAULTS.map((fault) => `${LABELS[fault].padEnd(34)}${figures.words[fault]} nights`),
    `never told                        ${figures.untold} causes`,
    `loss to told, minutes             ${range(figures.toldAfterMinutes)}`,
    `last back to ended, minutes       ${range(figures.endedAfterMinutes)}`,
    `what stays out after the end      ${figures.residual.told} of ${figures.residual.expected} told`,
    `messages a night, one customer    ${range(figures.messages)}`,
    `messages a night, a firm          ${range(figures.firmMessages)}`,
    `messages a night to each customer ${range(figures.customerMessages)}`,
  ].join('\n');
}

/** By kind of night: how often the cause was right, and what else was wrong. */
export function byKind(all: readonly Judgement[]): string {
  const groups = [...Map.groupBy(all, ({ kind }) => kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = groups.map(([kind, some]) => {
    const figures = figuresOf(some);
    const wrong = [
      figures.accused > 0 ? `${figures.accused} accuse a router` : '',
      figures.suspected > 0 ? `${figures.suspected} suspect the provider` : '',
      figures.falseAlarms > 0 ? `${figures.falseAlarms} alarms` : '',
      figures.falseAllClears > 0 ? `${figures.falseAllClears} false all-clears` : '',
      figures.contradictions > 0 ? `${figures.contradictions} contradict` : '',
      figures.certaintyFalls > 0 ? `${figures.certaintyFalls} less sure` : '',
      figures.causesFirst > 0 ? `${figures.causesFirst} cause first` : '',
      figures.silentGrowth > 0 ? `${figures.silentGrowth} silent growth` : '',
      figures.residual.told < figures.residual.expected
        ? `${figures.residual.expected - figures.residual.told} residuals untold`
        : '',
    ].filter((text) => text !== '');
    const said = figures.decidable === 0 ? '–' : percent(figures.right, figures.decidable);
    const median = some.some(isOfFirm) ? figures.firmMessages.median : figures.messages.median;
    const most = Math.max(...some.flatMap(({ ofCustomers }) => ofCustomers.map(({ messages }) => messages)));
    return `${kind.padEnd(52)}${said.padStart(9)}${String(median).padStart(7)} msg${String(most).padStart(5)} to one  ${wrong.join(', ')}`;
  });
  return lines.join('\n');
}
