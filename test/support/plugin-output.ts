/**
 * The output of a monitoring plugin, read by the rules of the Monitoring Plugins Development Guidelines ("Plugin
 * Output for Nagios" and "Performance data"): `STATE: text | 'label'=value[UOM];[warn];[crit];[min];[max] …`, then lines
 * of details, which may hold more performance data behind a bar.
 */
export interface PluginOutput {
  state: 'OK' | 'WARNING' | 'CRITICAL' | 'UNKNOWN';
  text: string;
  /** Values by label; `U` where it could not be determined. */
  data: Record<string, { value: number | 'U'; min: number | null; max: number | null }>;
  details: string[];
}

const STATES = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const;
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const RANGE = `(?:@?(?:(?:${NUMBER}|~)?:)?(?:${NUMBER})?)`;
/** A label contains no `=` and no quote; with blanks it is quoted. */
const LABEL = String.raw`(?:'(?<quoted>[^'=]+)'|(?<bare>[^\s'=|]+))`;
const DATUM = new RegExp(
  `^${LABEL}=(?<value>U|${NUMBER})(?:s|us|ms|%|B|KB|MB|GB|TB|c)?` +
    `(?:;${RANGE})?(?:;${RANGE})?(?:;(?<min>${NUMBER})?)?(?:;(?<max>${NUMBER})?)?$`,
);

/** Characters within which labels should be unique. */
const UNIQUE_LABEL = 19;

/** Throws at what breaks a rule of the guidelines, and where word and exit code differ. */
export function parsePluginOutput(out: string, exitCode: number): PluginOutput {
  const [head = '', ...details] = out.replace(/\n$/, '').split('\n');
  const [summary = '', performance = '', ...more] = head.split('|');
  if (more.length > 0) throw new Error(`more than one bar in '${head}'`);
  const bar = details.find((line) => line.includes('|'));
  if (bar !== undefined) throw new Error(`performance data among the details: '${bar}'`);
  const state = STATES.find((word) => summary.startsWith(`${word}: `));
  if (state === undefined) throw new Error(`no state at the beginning of '${head}'`);
  if (STATES.indexOf(state) !== exitCode) throw new Error(`${state} with exit code ${exitCode}`);
  const text = summary.slice(state.length + 2).trim();
  if (text === '') throw new Error(`no text after the state in '${head}'`);
  const data: PluginOutput['data'] = {};
  const labels = new Set<string>();
  for (const part of performance.trim().split(/\s+(?=(?:[^']*'[^']*')*[^']*$)/)) {
    if (part === '') continue;
    const found = DATUM.exec(part)?.groups;
    if (found === undefined) throw new Error(`no performance datum: '${part}'`);
    const { quoted, bare, value, min, max } = found;
    const label = quoted ?? bare ?? '';
    if (labels.has(label.slice(0, UNIQUE_LABEL))) throw new Error(`the label of '${part}' begins as another one`);
    labels.add(label.slice(0, UNIQUE_LABEL));
    data[label] = {
      value: value === 'U' ? 'U' : Number(value),
      min: min === undefined ? null : Number(min),
      max: max === undefined ? null : Number(max),
    };
  }
  return { state, text, data, details };
}
