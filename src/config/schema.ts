/** The whole configuration file and the files it includes, in their own snake_case; shape only, no defaults. */
import { z } from 'zod';
import { accountDefaultsSchema, accountSchema } from './account-schema.ts';
import { address, listen } from './address.ts';
import { choice, flag, number, oneOrMore, text, timezone } from './fields.ts';
import { WEEKDAYS } from './calendar-range.ts';
import { quote } from './problem.ts';
import { receiverSchema } from './receiver-schema.ts';
import { rootRouteSchema, routeSchema, severityOverrideSchema } from './route-schema.ts';
import { statusPageSchema } from './status-page-schema.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const;

const lists = {
  status_pages: z
    .array(statusPageSchema)
    .meta({ title: 'Status pages', description: 'Pages of the provider to watch.' })
    .optional(),
  accounts: z.array(accountSchema).meta({ title: 'Accounts', description: 'Accounts at the provider.' }).optional(),
  receivers: z
    .array(receiverSchema)
    .meta({ title: 'Receivers', description: 'Where messages go. Needed to run.' })
    .optional(),
};

export const configSchema = z
  .strictObject({
    instance: text(
      {
        title: 'Instance',
        description: "Part of every event's source; default the host's name.",
        pattern: '^[^\\s/]+$',
      },
      (value) =>
        /^[^\s/\p{Cc}]{1,100}$/u.test(value) ? null : 'an instance is one word without "/", at most 100 characters',
    ).optional(),
    timezone: timezone({
      title: 'Time zone',
      description: "Of the times people read; default the system's. Slack shows moments in each reader's own.",
    }).optional(),
    state_dir: text({
      title: 'State directory',
      description: 'Relative to this file. $STATE_DIRECTORY wins over the default.',
      default: './state',
    }).optional(),
    credentials_dir: text({
      title: 'Credentials directory',
      description: 'Where ${credential:NAME} is looked up after $CREDENTIALS_DIRECTORY.',
      default: '/etc/linewatch/credentials',
    }).optional(),
    http: z
      .strictObject({
        listen: listen({
          title: 'Listen',
          description: 'host:port of the web page, metrics and health; off for none.',
          default: '127.0.0.1:8469',
        }).optional(),
        silences: flag({
          title: 'Silences',
          description:
            'Whether the page may make and end silences. Nobody logs in there: on a loopback address only, for everybody on this machine.',
          default: false,
        }).optional(),
        external_url: address(
          { title: 'External address', description: 'How people reach the web page; links in messages start with it.' },
          { base: true },
        ).optional(),
      })
      .meta({ title: 'HTTP' })
      .optional(),
    log: z
      .strictObject({
        level: choice(
          { title: 'Level', description: 'The least that is logged.', default: 'info' },
          LOG_LEVELS,
        ).optional(),
        format: choice(
          { title: 'Format', description: 'auto: readable on a terminal, JSON lines otherwise.', default: 'auto' },
          LOG_FORMATS,
        ).optional(),
      })
      .meta({ title: 'Log' })
      .optional(),
    include: oneOrMore(
      {
        title: 'Include',
        description: 'Files with more status_pages, accounts, receivers, route.routes; relative to this file.',
        examples: [['accounts.d/*.yaml']],
      },
      text({ title: 'Files', description: 'A path or a glob.' }),
    ).optional(),
    limits: z
      .strictObject({
        requests_per_second_per_origin: number(
          { title: 'Requests per second and origin', description: 'Over all accounts at one origin.', default: 10 },
          { above: 0, atMost: 1_000 },
        ).optional(),
      })
      .meta({ title: 'Limits' })
      .optional(),
    digest: z
      .strictObject({
        at: text(
          {
            title: 'At',
            description: 'Local time of the day, such as 08:00.',
            pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
          },
          (value) =>
            /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
              ? null
              : `${quote(value)} is not a time of the day; write it as 08:00`,
        ),
        days: z
          .array(choice({ title: 'Day', description: 'A day of the week.' }, WEEKDAYS))
          .min(1, { error: 'the list is empty; leave it out for every day' })
          .meta({ title: 'Days', description: 'Default every day.' })
          .optional(),
        timezone: timezone({
          title: 'Time zone',
          description: 'Of the time; default that of the instance.',
        }).optional(),
      })
      .meta({ title: 'Digest', description: 'What is open and what ended, once a day: a sign of life, too.' })
      .optional(),
    heartbeat: z
      .strictObject({
        url: address({
          title: 'Address',
          description: "Fetched after every good round: a dead man's switch elsewhere notices when it stops. Secret.",
        }),
      })
      .meta({ title: 'Heartbeat' })
      .optional(),
    ...lists,
    account_defaults: accountDefaultsSchema.optional(),
    route: rootRouteSchema.optional(),
    severity_overrides: z
      .array(severityOverrideSchema)
      .meta({ title: 'Severity overrides', description: 'The first that matches decides.' })
      .optional(),
  })
  .meta({ title: 'Linewatch configuration', description: 'What Linewatch watches and whom it tells.' });

/** What an included file may hold. */
export const fragmentSchema = z.strictObject({
  ...lists,
  route: z.strictObject({ routes: z.array(routeSchema).optional() }).optional(),
});

export type ConfigEntry = z.infer<typeof configSchema>;
export type FragmentEntry = z.infer<typeof fragmentSchema>;
