/** What a replay told, as lines for people and as JSON for programs. */
import { facts } from '../core/alert/facts.ts';
import { reached, type Route } from '../core/alert/route.ts';
import { briefing, type Briefer } from '../core/wording/briefing.ts';
import { when } from '../core/wording/time.ts';
import type { Happening, Saying } from '../daemon/replay.ts';
import { mailParts, textMail } from '../receivers/email/text.ts';
import { renderTerminal, type TerminalStyle } from '../receivers/terminal/render.ts';
import { jsonText } from './terminal-text.ts';

export interface OutputOptions {
  route: Route;
  timezone: string;
  instance: string;
  /** Labels of sources, by their names. */
  labels: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

function brieferAt(at: number, { timezone, instance }: OutputOptions): Briefer {
  return { timezone, instance, externalUrl: null, now: at };
}

/** One message to one receiver. */
export function messageLine(file: string, saying: Saying, options: OutputOptions): string {
  const { at, receiver, message } = saying;
  const brief = briefing(message, brieferAt(at, options));
  return jsonText(
    {
      file,
      type: 'message',
      at: new Date(at).toISOString(),
      receiver,
      rule: ruleOf(saying, options),
      alert: message.alert,
      title: brief.headline,
      text: textMail(brief, mailParts(brief)),
      reminder: message.reminder,
      changes: message.changes.map(({ status, transition }) => ({ status, ...transition })),
    },
    0,
  );
}

/** One transition, as programs hear of it. */
export function transitionLine(file: string, { transition, status, alert }: Happening): string {
  const { at, ...rest } = transition;
  return jsonText({ file, type: 'transition', at: new Date(at).toISOString(), status, ...rest, alert }, 0);
}

/** Messages that say the same to several receivers at once are one line. */
export function lines(said: readonly Saying[], options: OutputOptions, style: TerminalStyle, full: boolean): string[] {
  const groups = Map.groupBy(
    said,
    ({ at, message }) =>
      `${at} ${message.alert.id} ${message.reminder} ${message.changes.map(({ transition }) => transition.id).join()}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { at, message } = first;
    const brief = briefing(message, brieferAt(at, options));
    const number = brief.number === null ? '' : `${brief.number} `;
    const why = message.changes.map(({ transition, status }) => `${transition.kind} (${status})`).join(', ');
    const to = group.map((saying) => `${saying.receiver} by ${ruleOf(saying, options)}`).join(', ');
    const head = [
      `${when(at, options.timezone, at)}  ${number}${brief.severity}: ${brief.headline}`,
      `    to ${to}; because ${why}`,
    ];
    return full ? [...head, renderTerminal(brief, style)] : head;
  });
}

function ruleOf({ message: { alert, changes }, receiver }: Saying, { route, labels }: OutputOptions): string {
  const about = facts(alert, changes, labels.get(alert.source) ?? {});
  const told = { severity: alert.severity, statuses: changes.map(({ status }) => status) };
  const found = reached(route, about, told).find((one) => one.receiver === receiver);
  return found?.route.rule ?? 'having been told of it before';
}
