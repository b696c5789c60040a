/** `linewatch replay`: prints the messages that this configuration would have sent during a recorded history. */
import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import {
  replayHistory as playBack,
  type ReplayedTransition,
  type ReplayedMessage,
} from '../../daemon/setup/virtual-replay.ts';
import { loadHistory } from '../../simulator/recorded-history.ts';
import { defineCommand, EXIT, flag, text } from '../command.ts';
import { loadConfiguration, NoConfiguration } from '../configuration.ts';
import type { Platform } from '../platform.ts';
import { readRecordedSteps, createReplayOptions } from './replay-input.ts';
import { readSimulatorFile } from '../simulator-file.ts';
import { append } from '../../core/transition/collections.ts';
import { collectFacts } from '../../core/alert/matchers.ts';
import { findReached, type Route } from '../../core/alert/route.ts';
import { createViewWithoutAlert } from '../../core/outbox/without-alert.ts';
import { isSummary } from '../../core/outbox/message.ts';
import { composeContent, type ContentOptions } from '../../core/wording/message-content.ts';
import { formatTime } from '../../core/wording/time.ts';
import { fitMailParts, renderTextMail } from '../../receivers/email/mail-parts.ts';
import { renderTerminal, type TerminalStyle } from '../../receivers/terminal/render.ts';
import { toTerminalJson } from '../terminal-text.ts';

export const replay = defineCommand({
  description:
    'Runs recorded or written histories of pages and accounts through the real pipeline in virtual time and prints ' +
    'which messages each receiver would have got, when and why. It ends when no message waits; nothing is sent and ' +
    'nothing is written. Without a configuration everything goes to one receiver. For an account or a page that a ' +
    'history describes, the history takes precedence over the configuration. "linewatch run --record DIR" records such ' +
    'histories from the live sources.',
  words: [['<FILE...>', 'recorded histories']],
  options: {
    source: text(
      'NAME',
      'the status page of the configuration that steps without a page name show; default: the first',
    ),
    fromQuiet: flag(
      'begin with a quiet page, as if the watch had been running: what is open at the first step is then new',
    ),
    full: flag('the whole messages and not only their first lines'),
    events: flag('also what programs (webhooks) would have received'),
    json: flag('for programs: one JSON object a line, for every message to people and for every transition'),
  },
  examples: [
    ['linewatch replay incident.json', 'what the configuration here would have made of it'],
    ['linewatch replay --full --from-quiet incident.json', 'with the messages in full, from the opening on'],
    ['linewatch replay --json night.json | jq -r \'select(.type == "message") | .title\'', 'its messages alone'],
  ],
  async run({ platform, config: file, options, args }) {
    const config = await configurationIfAny(platform, file);
    const timezone = config?.timezone ?? platform.timezone;
    const written: string[] = [];
    for (const path of args) {
      const place = resolve(platform.cwd, path);
      const history = readSimulatorFile('history', place, loadHistory);
      const given = createReplayOptions({ history, file: place, config, source: options.source, timezone });
      const steps = readRecordedSteps(history, place, options.fromQuiet, given.pages);
      const { messages, transitions } = await playBack({ ...given, steps });
      const people = new Set(given.receivers.flatMap(({ name, audience }) => (audience === 'people' ? [name] : [])));
      const shown = messages.filter(({ receiver }) => options.events || people.has(receiver));
      const output: OutputOptions = {
        route: given.route,
        timezone,
        instance: config?.instance ?? 'replay',
        externalUrl: config?.http.externalUrl ?? null,
        customer: given.customer,
        labels: new Map((given.accounts ?? []).map(({ name, labels }) => [name, labels])),
      };
      if (options.json) {
        const all = [
          ...transitions.map((one) => ({ at: one.transition.at, line: formatTransitionLine(path, one) })),
          ...shown.map((one) => ({ at: one.at, line: formatMessageLine(path, one, output) })),
        ];
        append(
          written,
          all.toSorted((a, b) => a.at - b.at).map(({ line }) => line),
        );
      } else {
        const style = { width: platform.out.columns, colour: platform.out.colour };
        const title = history.title === '' ? history.name : `${history.name}: ${history.title}`;
        append(written, [title, ...lines(shown, output, style, options.full), '']);
      }
    }
    platform.out.write(`${written.join('\n')}\n`);
    return EXIT.done;
  },
});

async function configurationIfAny(platform: Platform, file: string | undefined): Promise<Config | null> {
  try {
    return (await loadConfiguration(platform, file, 'check')).config;
  } catch (error) {
    // The replay works without a configuration; a wrong one is an error.
    if (error instanceof NoConfiguration) return null;
    throw error;
  }
}

export interface OutputOptions {
  route: Route;
  timezone: string;
  instance: string;
  /** Address of Linewatch's own page; default: none. */
  externalUrl?: string | null;
  /** Customer of a source for messages; default: none. */
  customer?: (source: string) => string | null;
  /** Labels by the names of sources. */
  labels: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Words messages as the daemon would. */
function toContentOptions(
  { at, names, page }: ReplayedMessage,
  { timezone, instance, externalUrl = null, customer }: OutputOptions,
): ContentOptions {
  return { timezone, instance, externalUrl, now: at, names, page, ...(customer !== undefined && { customer }) };
}

/** One message to one receiver. */
export function formatMessageLine(file: string, saying: ReplayedMessage, options: OutputOptions): string {
  const { at, receiver, message } = saying;
  const content = composeContent(message, toContentOptions(saying, options));
  return toTerminalJson(
    {
      file,
      type: 'message',
      at: new Date(at).toISOString(),
      receiver,
      rule: ruleOf(saying, options),
      alert: message.alert,
      ...alertsOf(message),
      title: content.headline,
      text: renderTextMail(content, fitMailParts(content)),
      reminder: message.reminder,
      changes: message.changes.map(({ status, transition }) => ({ status, ...transition })),
    },
    0,
  );
}

/** Ids of all alerts in a message, if there are several. */
function alertsOf(message: ReplayedMessage['message']): { alerts?: readonly string[] } {
  const summed = isSummary(message)
    ? message.changes.map(({ transition }) => createViewWithoutAlert(transition).id)
    : [];
  const alerts = message.alerts ?? summed;
  return alerts.length > 1 ? { alerts } : {};
}

/** One transition, in its format for programs. */
export function formatTransitionLine(file: string, { transition, status, alert }: ReplayedTransition): string {
  const { at, ...rest } = transition;
  return toTerminalJson({ file, type: 'transition', at: new Date(at).toISOString(), status, ...rest, alert }, 0);
}

/** Identical messages to several receivers share a line. */
function lines(
  messages: readonly ReplayedMessage[],
  options: OutputOptions,
  style: TerminalStyle,
  full: boolean,
): string[] {
  const groups = Map.groupBy(
    messages,
    ({ at, message }) =>
      `${at} ${message.alert.id} ${message.reminder} ${JSON.stringify(message.changes.map(({ transition: { id, details } }) => [id, details]))}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { at, message } = first;
    const content = composeContent(message, toContentOptions(first, options));
    const number = content.number === null ? '' : `${content.number} `;
    const why = message.changes.map(({ transition, status }) => `${transition.kind} (${status})`).join(', ');
    const to = group.map((saying) => `${saying.receiver} by ${ruleOf(saying, options)}`).join(', ');
    const head = [
      `${formatTime(at, options.timezone, at)}  ${number}${content.severity}: ${content.headline}`,
      `    to ${to}; because ${why}`,
    ];
    return full ? [...head, renderTerminal(content, style)] : head;
  });
}

function ruleOf({ message: { alert, changes }, receiver }: ReplayedMessage, { route, labels }: OutputOptions): string {
  const about = collectFacts(alert, changes, labels.get(alert.source) ?? {});
  const occasion = { severity: alert.severity, statuses: changes.map(({ status }) => status) };
  const found = findReached(route, about, occasion).find((one) => one.receiver === receiver);
  return found?.route.rule ?? 'an earlier message';
}
