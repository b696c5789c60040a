/** `linewatch replay`: what would have been told, had this history happened with this configuration. */
import { resolve } from 'node:path';
import { facts } from '../alert/facts.ts';
import { reached, routeTo, type Route } from '../alert/route.ts';
import { briefing, type Briefer } from '../briefing/briefing.ts';
import { when } from '../briefing/time.ts';
import type { Config } from '../config/config.ts';
import { replay as playBack, type ReplayOptions, type Saying } from '../daemon/replay.ts';
import { renderTerminal } from '../receivers/terminal/render.ts';
import { loadReplay, type Replay } from '../simulator/status/replay.ts';
import { SimulatorError } from '../simulator/trouble.ts';
import { codeOf, whyRefused } from '../store/disk-error.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { UsageError } from './errors.ts';
import { flag, text } from './option.ts';
import type { Platform } from './platform.ts';

export const replay = defineCommand({
  description:
    'Runs recorded or written histories through the real pipeline in virtual time and prints what would have been told ' +
    'to whom, when and why. Nothing is sent and nothing is written. Without a configuration everything goes to one ' +
    'receiver. "linewatch run --record DIR" records such histories from the live source.',
  words: [['<FILE...>', 'recorded histories']],
  options: {
    source: text('NAME', 'the status page of the configuration to stand for; default: the first'),
    fromQuiet: flag(
      'begin with a quiet page, as if the watch had been running: what is open at the first step is then new',
    ),
    full: flag('the whole messages and not only their first lines'),
    events: flag('also what programs (webhooks) would have received'),
    json: flag('for programs: one JSON object a line'),
  },
  examples: [
    ['linewatch replay incident.json', 'what the configuration here would have made of it'],
    ['linewatch replay --full --from-quiet incident.json', 'with the messages in full, from the opening on'],
  ],
  async run({ platform, config: file, options, args }) {
    const config = await configurationIfAny(platform, file);
    const lines: string[] = [];
    for (const path of args) {
      const history = read(resolve(platform.cwd, path));
      const given = settings(config, options.source);
      const said = await playBack({ ...given, steps: recorded(history, options.fromQuiet) });
      const shown = said.filter(({ receiver }) => options.events || isForPeople(given, receiver));
      if (options.json) lines.push(...shown.map((one) => JSON.stringify({ file: path, ...plain(one, given.route) })));
      else lines.push(`${history.name}: ${history.title}`, ...told(shown, given, platform, config, options.full), '');
    }
    platform.out.write(`${lines.join('\n')}\n`);
    return EXIT.done;
  },
});

async function configurationIfAny(platform: Platform, file: string | undefined): Promise<Config | null> {
  try {
    return (await loadConfiguration(platform, file, 'check')).config;
  } catch (error) {
    // Without a configuration there is still something to see; a wrong one is a mistake.
    const wanted = file !== undefined || platform.env['LINEWATCH_CONFIG'] !== undefined;
    if (error instanceof UsageError && !wanted && error.message.includes('exists')) return null;
    throw error;
  }
}

function read(path: string): Replay {
  try {
    return loadReplay(path);
  } catch (error) {
    if (error instanceof SimulatorError) throw new UsageError(error.message, { cause: error });
    if (codeOf(error) === null) throw error;
    throw new UsageError(`the history ${path} cannot be read: ${whyRefused(error)}`, { cause: error });
  }
}

function recorded({ steps }: Replay, fromQuiet: boolean): ReplayOptions['steps'] {
  const played = steps.map(({ at, documents }) => ({
    at,
    page: { ...documents.page },
    components: documents.components.map((component) => ({ ...component })),
    notices: documents.notices.map((notice) => ({ ...notice })),
    details: new Map([...documents.details].map(([id, detail]) => [String(id), { ...detail }])),
  }));
  const [first] = played;
  if (first === undefined || !fromQuiet) return played;
  const calm = { state: 'operational', updated_at: '1970-01-01T00:00:00.000Z' };
  const quiet = {
    at: first.at - QUIET_BEFORE_MS,
    page: { ...first.page, ...calm },
    components: first.components.map((component) => ({ ...component, ...calm })),
    notices: [],
    details: new Map(),
  };
  return [quiet, ...played];
}

/** Long enough for a baseline at any interval that makes sense. */
const QUIET_BEFORE_MS = 5 * 60_000;

type Settings = Omit<ReplayOptions, 'steps'>;

function settings(config: Config | null, wanted: string | undefined): Settings {
  const page = config?.statusPages.find(({ name }) => wanted === undefined || name === wanted);
  if (wanted !== undefined && page === undefined) throw new UsageError(`there is no status page '${wanted}'`);
  const hasRoute = config !== null && config.route !== null;
  return {
    page: {
      name: page?.name ?? 'provider',
      baseUrl: page?.baseUrl ?? 'https://status.example.com',
      intervalMs: page?.interval ?? 30_000,
      intervalDuringIncidentMs: page?.intervalDuringIncident ?? 10_000,
      unreachableAfterMs: page?.unreachableAfter ?? 180_000,
      maintenance: {
        reminders: page?.maintenanceReminders ?? [86_400_000, 3_600_000],
        graceMs: page?.maintenanceGrace ?? 900_000,
      },
      components: page?.components ?? { include: [], exclude: [] },
      labels: {},
    },
    receivers: hasRoute
      ? config.receivers.map(({ name, type }) => ({ name, audience: type === 'webhook' ? 'programs' : 'people' }))
      : [{ name: 'everybody', audience: 'people' }],
    route: config?.route ?? routeTo(['everybody']),
    overrides: config?.severityOverrides ?? [],
  };
}

function isForPeople({ receivers }: Settings, name: string): boolean {
  return receivers.find((receiver) => receiver.name === name)?.audience === 'people';
}

function plain({ at, receiver, message }: Saying, route: Route): Record<string, unknown> {
  return {
    at: new Date(at).toISOString(),
    receiver,
    rule: ruleOf(message, receiver, route),
    alert: message.alert,
    reminder: message.reminder,
    changes: message.changes.map(({ status, transition }) => ({ status, ...transition })),
  };
}

/** Messages that say the same to several receivers at once are one line. */
function told(
  said: readonly Saying[],
  given: Settings,
  platform: Platform,
  config: Config | null,
  full: boolean,
): string[] {
  const timezone = config?.timezone ?? platform.timezone;
  const groups = Map.groupBy(
    said,
    ({ at, message }) =>
      `${at} ${message.alert.id} ${message.reminder} ${message.changes.map(({ transition }) => transition.id).join()}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { at, message } = first;
    const briefer: Briefer = { timezone, instance: config?.instance ?? 'replay', externalUrl: null, now: at };
    const brief = briefing(message, briefer);
    const number = brief.number === null ? '' : `${brief.number} `;
    const why = message.changes.map(({ transition, status }) => `${transition.kind} (${status})`).join(', ');
    const to = group.map(({ receiver }) => `${receiver} by ${ruleOf(message, receiver, given.route)}`).join(', ');
    const head = [
      `${when(at, timezone, at)}  ${number}${brief.severity}: ${brief.headline}`,
      `    to ${to}; because ${why}`,
    ];
    const style = { width: platform.out.columns, colour: platform.out.colour };
    return full ? [...head, renderTerminal(brief, style)] : head;
  });
}

function ruleOf({ alert, changes }: Saying['message'], receiver: string, route: Route): string {
  const found = reached(route, facts(alert, changes, {}), {
    severity: alert.severity,
    statuses: changes.map(({ status }) => status),
  }).find((one) => one.receiver === receiver);
  return found?.route.rule ?? 'having been told of it before';
}
