/**
 * All commands, in the order of `--help`. The file of a command is loaded only when it is used, so that the daemon has
 * neither the simulator nor the account commands in memory.
 */
import type { Command } from './command.ts';

export interface CommandEntry {
  /** One word, or two: `config check`. */
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** Purpose of the program. */
export const INTRODUCTION =
  'Watches the status page of a telephony provider and the phones of your own account there, and tells the people ' +
  'who run them what changed: once, at once, and truthfully.';

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'see it at work on an embedded provider',
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  {
    name: 'run',
    summary: 'watch, and tell: the daemon',
    load: async () => (await import('./run/run.ts')).run,
  },
  {
    name: 'check',
    summary: 'read every source once and print what is wrong',
    load: async () => (await import('./status/check.ts')).check,
  },
  {
    name: 'status',
    summary: 'ask the running daemon',
    load: async () => (await import('./status/status.ts')).status,
  },
  {
    name: 'config check',
    summary: 'validate the configuration and say what would run',
    load: async () => (await import('./config/config-check.ts')).configCheck,
  },
  {
    name: 'config schema',
    summary: 'print the JSON Schema of the configuration',
    load: async () => (await import('./config/config-check.ts')).configSchema,
  },
  {
    name: 'config detect',
    summary: 'say which kind of status page an address is',
    load: async () => (await import('./config/config-detect.ts')).configDetect,
  },
  {
    name: 'config init',
    summary: 'write a configuration to start from',
    load: async () => (await import('./config/config-init.ts')).configInit,
  },
  {
    name: 'config password',
    summary: 'print a hash for a user of the page',
    load: async () => (await import('./config/config-password.ts')).configPassword,
  },
  {
    name: 'notify presets',
    summary: 'the media that a receiver of type http can speak to',
    load: async () => (await import('./notify-presets.ts')).notifyPresets,
  },
  {
    name: 'notify test',
    summary: 'send a sample message through the real receivers',
    load: async () => (await import('./notify-test.ts')).notifyTest,
  },
  {
    name: 'route test',
    summary: 'explain which receivers an alert would reach',
    load: async () => (await import('./route-test.ts')).routeTest,
  },
  {
    name: 'alert list',
    summary: 'show what is open',
    load: async () => (await import('./alert/alert-commands.ts')).alertList,
  },
  {
    name: 'alert show',
    summary: 'tell the whole story of one alert',
    load: async () => (await import('./alert/alert-commands.ts')).alertShow,
  },
  {
    name: 'alert ack',
    summary: 'say that you have an alert in hand',
    load: async () => (await import('./alert/alert-commands.ts')).alertAck,
  },
  {
    name: 'alert release',
    summary: 'give an alert back: reminders go on',
    load: async () => (await import('./alert/alert-commands.ts')).alertRelease,
  },
  {
    name: 'silence add',
    summary: 'mute alerts for a time',
    load: async () => (await import('./alert/silence-commands.ts')).silenceAdd,
  },
  {
    name: 'silence list',
    summary: 'show what is muted',
    load: async () => (await import('./alert/silence-commands.ts')).silenceList,
  },
  {
    name: 'silence expire',
    summary: 'end a silence early',
    load: async () => (await import('./alert/silence-commands.ts')).silenceExpire,
  },
  {
    name: 'calls missed',
    summary: 'list who tried to call while phones were lost',
    load: async () => (await import('./alert/calls-commands.ts')).callsMissed,
  },
  {
    name: 'calls forget',
    summary: 'erase one telephone number everywhere',
    load: async () => (await import('./alert/calls-commands.ts')).callsForget,
  },
  {
    name: 'member list',
    summary: 'show who shares the database',
    load: async () => (await import('./member-commands.ts')).memberList,
  },
  {
    name: 'member forget',
    summary: 'forget a member that is gone',
    load: async () => (await import('./member-commands.ts')).memberForget,
  },
  {
    name: 'deliveries list',
    summary: 'show what waits and what was refused',
    load: async () => (await import('./alert/deliveries-commands.ts')).deliveriesList,
  },
  {
    name: 'deliveries retry',
    summary: 'send refused messages again',
    load: async () => (await import('./alert/deliveries-commands.ts')).deliveriesRetry,
  },
  {
    name: 'deliveries drop',
    summary: 'give messages up',
    load: async () => (await import('./alert/deliveries-commands.ts')).deliveriesDrop,
  },
  {
    name: 'history',
    summary: 'list what happened',
    load: async () => (await import('./history.ts')).history,
  },
  {
    name: 'report',
    summary: 'sum up a month: uptime, outages, maintenance, phones, deliveries',
    load: async () => (await import('./report.ts')).report,
  },
  {
    name: 'replay',
    summary: 'see what a recorded history would have told',
    load: async () => (await import('./replay/replay.ts')).replay,
  },
  {
    name: 'account',
    summary: 'every operation of the account interface',
    load: async () => (await import('./account.ts')).account,
  },
  {
    name: 'provider',
    summary: 'run the embedded provider alone',
    load: async () => (await import('./provider.ts')).provider,
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of both interfaces',
    load: async () => (await import('./openapi.ts')).openapi,
  },
  {
    name: 'state copy',
    summary: 'move what is known to a database, or back to files',
    load: async () => (await import('./state-copy.ts')).stateCopy,
  },
  {
    name: 'completion',
    summary: 'print the completion of commands for a shell',
    load: async () => (await import('./help/completion.ts')).completion,
  },
];

/** Summary of a first word with several commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  config: 'validate, describe or start a configuration',
  notify: 'try the receivers',
  route: 'explain the routing of alerts',
  alert: 'see what is open, and take it in hand',
  silence: 'mute alerts for a time',
  calls: 'see who tried to call in vain, and erase a number',
  member: 'see who shares the database',
  state: 'move what is known',
  deliveries: 'see, retry or drop what waits to be delivered',
};
