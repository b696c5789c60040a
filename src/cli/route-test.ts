/** `linewatch route test`: prints the receivers that a transition would reach, with the matching rules. */
import { listSourceNames } from '../config/config.ts';
import { createFacts } from '../core/alert/matchers.ts';
import { isUrgent, findReached, type ReachedReceiver, type Route } from '../core/alert/route.ts';
import { formatDuration } from '../core/text/duration.ts';
import { SELF_NAME } from '../core/engine/self-source.ts';
import { KINDS, SEVERITIES, STATUSES } from '../core/transition/kind.ts';
import { defineCommand, EXIT, flag, text, texts, UsageError } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { readMatchers } from './alert/written-matchers.ts';
import { toTerminalJson } from './terminal-text.ts';

export const routeTest = defineCommand({
  description:
    'Explains which receivers an alert would reach, by which route, and how long it would wait there. Sends nothing.',
  options: {
    source: text('S', 'name of the source'),
    kind: text('K', 'kind of the transition, such as notice.opened'),
    severity: text('V', 'severity of the alert: info, warning or critical; default: critical'),
    status: text('W', 'what happened to the alert: open (default), update, resolved or info'),
    label: texts('KEY=VALUE', 'a component, label, extension or site, such as component="SIP Trunks"'),
    json: flag('for programs'),
  },
  examples: [
    ['linewatch route test --source provider --kind notice.opened --severity critical', 'who hears of an outage'],
  ],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    if (config.route === null) throw new UsageError('the configuration has no route');
    const severity = oneOf('severity', options.severity ?? 'critical', SEVERITIES);
    const status = oneOf('status', options.status ?? 'open', STATUSES);
    if (options.source !== undefined) oneOf('source', options.source, [...listSourceNames(config), SELF_NAME]);
    const account = config.accounts.find(({ name }) => name === options.source);
    const kind = options.kind === undefined ? [] : [oneOf('kind', options.kind, KINDS)];
    const known = createFacts([
      ...Object.entries(account?.labels ?? {}).map(([key, value]) => [key, [[value]]] as const),
      // Each value is a separate subject: the alert affects them all.
      ...[...readMatchers(options.label)].map(([key, values]) => [key, values.map((value) => [value])] as const),
      ['severity', [[severity]]],
      ...(options.source === undefined ? [] : [['source', [[options.source]]] as const]),
      ...kind.map((one) => ['kind', [[one]]] as const),
    ]);
    const urgent = isUrgent(severity, kind);
    const results = findReached(config.route, known, { severity, statuses: [status] }).map((one) => ({
      receiver: one.receiver,
      rule: one.route.rule,
      told: one.wanted,
      why: whyOf(one),
      group_wait: formatDuration(urgent ? one.route.urgentGroupWait : one.route.groupWait),
    }));
    const lines = options.json
      ? [toTerminalJson(results)]
      : results.map(({ receiver, rule, told, why, group_wait: wait }) =>
          told
            ? `${receiver}: told, by ${rule}, after ${wait}`
            : `${receiver}: not told: ${rule} leads there, but ${why}`,
        );
    platform.out.write(`${lines.length === 0 ? 'Nobody is told.' : lines.join('\n')}\n`);
    return results.some(({ told }) => told) ? EXIT.done : EXIT.failed;
  },
});

function whyOf({ route, wanted, wantedIfTold }: ReachedReceiver): string {
  if (wanted) return 'matches';
  const wants = `the route wants ${wishes(route)}`;
  return wantedIfTold ? `${wants}; whoever was told of the alert hears of it` : wants;
}

function wishes({ minSeverity, events }: Route): string {
  const parts = [
    minSeverity === null ? null : `severity ${minSeverity} or worse`,
    events === null ? null : `only ${events.join(', ')}`,
  ];
  return parts.filter((part) => part !== null).join(' and ');
}

function oneOf<T extends string>(what: string, written: string, known: readonly T[]): T {
  const found = known.find((one) => one === written);
  if (found === undefined) throw new UsageError(`there is no ${what} '${written}'; there are: ${known.join(', ')}`);
  return found;
}
