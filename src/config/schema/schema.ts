/** Schema of the configuration file and its includes in snake_case: shape only, no defaults. */
import * as z from 'zod';
import { accountDefaultsSchema, accountSchema } from './account-schema.ts';
import { address } from '../address.ts';
import { LEVELS, LOG_FORMATS } from '../../log/log.ts';
import {
  choice,
  duration,
  list,
  months,
  number,
  oneOrMore,
  optional,
  or,
  section,
  settings,
  text,
  timezone,
} from './fields.ts';
import { DAY } from '../../core/text/duration.ts';
import { databaseSchema } from './database-schema.ts';
import { WEEKDAYS } from '../../core/text/hours.ts';
import { httpSchema } from './http-schema.ts';
import { formatValue } from '../problem.ts';
import { receiverSchema } from './receiver-schema.ts';
import { rotaSchema } from './rota-schema.ts';
import { rootRouteSchema, routeSchema, severityOverrideSchema } from './route-schema.ts';
import { statusPageSchema } from './status-page-schema.ts';

/** Default state directory, relative to the file. */
export const STATE_DIR = './state';

/** Default directory of credentials. */
export const CREDENTIALS_DIR = '/etc/linewatch/credentials';

const lists = {
  status_pages: or(
    [],
    list({ title: 'Status pages', description: 'Pages of the provider to watch.' }, statusPageSchema),
  ),
  accounts: or([], list({ title: 'Accounts', description: 'Accounts at the provider.' }, accountSchema)),
  receivers: or([], list({ title: 'Receivers', description: 'Where messages go. Needed to run.' }, receiverSchema)),
};

export const configSchema = settings({
  instance: optional(
    text(
      {
        title: 'Instance',
        description: "Part of every event's source; default the host's name.",
        pattern: '^[^\\s/]+$',
      },
      (value) =>
        /^[^\s/\p{Cc}]{1,100}$/u.test(value) ? null : 'an instance is one word without "/", at most 100 characters',
    ),
  ),
  timezone: optional(
    timezone({
      title: 'Time zone',
      description: "Of the times people read; default the system's. Slack shows moments in each reader's own.",
    }),
  ),
  contact: optional(
    text(
      {
        title: 'Contact',
        description:
          'Mail or web address sent with every request to pages of other vendors, so that they can reach you.',
        examples: ['ops@example.com'],
      },
      (value) =>
        /^[\x21-\x7e]{1,200}$/.test(value) && !/[()]/.test(value)
          ? null
          : 'a contact is one mail or web address, without blanks or brackets',
    ),
  ),
  state_dir: optional(
    text({
      title: 'State directory',
      description: 'Relative to this file. $STATE_DIRECTORY wins over the default.',
    }).meta({ default: STATE_DIR }),
  ),
  credentials_dir: optional(
    text({
      title: 'Credentials directory',
      description: 'Where ${credential:NAME} is looked up after $CREDENTIALS_DIRECTORY.',
    }).meta({ default: CREDENTIALS_DIR }),
  ),
  http: section(httpSchema),
  log: section(
    settings({
      level: choice({ title: 'Level', description: 'The least that is logged.', default: 'info' }, LEVELS),
      format: choice(
        {
          title: 'Format',
          description: 'auto: readable on a terminal and in the journal of systemd, JSON lines otherwise.',
          default: 'auto',
        },
        LOG_FORMATS,
      ),
    }).meta({ title: 'Log' }),
  ),
  include: optional(
    oneOrMore(
      {
        title: 'Include',
        description: 'Files with more status_pages, accounts, receivers, route.routes; relative to this file.',
        examples: [['accounts.d/*.yaml']],
      },
      text({ title: 'Files', description: 'A path or a glob.' }),
    ),
  ),
  limits: section(
    settings({
      requests_per_second_per_origin: number(
        { title: 'Requests per second and origin', description: 'Over all accounts at one origin.', default: 10 },
        { above: 0, atMost: 1_000 },
      ),
    }).meta({ title: 'Limits' }),
  ),
  digest: optional(
    settings({
      at: text(
        {
          title: 'At',
          description: 'Local time of the day, such as 08:00.',
          pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        },
        (value) =>
          /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
            ? null
            : `${formatValue(value)} is not a time of the day; write it as 08:00`,
      ),
      // 1 Monday to 7 Sunday.
      days: or(
        [1, 2, 3, 4, 5, 6, 7],
        list(
          { title: 'Days', description: 'Default every day.' },
          choice({ title: 'Day', description: 'A day of the week.' }, WEEKDAYS),
          'the list is empty; leave it out for every day',
        ).transform((names) => names.map((name) => WEEKDAYS.indexOf(name) + 1)),
      ),
      timezone: optional(
        timezone({
          title: 'Time zone',
          description: 'Of the time; default that of the instance.',
        }),
      ),
    }).meta({ title: 'Digest', description: 'What is open and what ended, once a day: a sign of life, too.' }),
  ),
  heartbeat: optional(
    settings({
      url: address({
        title: 'Address',
        description: "Fetched after every good round: a dead man's switch elsewhere notices when it stops. Secret.",
      }),
    }).meta({ title: 'Heartbeat' }),
  ),
  history: section(
    settings({
      keep: duration(
        {
          title: 'Keep',
          description: 'How long what happened is kept in the state directory, for history, report and the page.',
          default: '400d',
        },
        { atLeast: DAY, atMost: 3_660 * DAY },
      ),
      import: months({
        title: 'Import',
        description:
          'At the first start the past notices of the provider’s page are read once, at one request a second and after all ' +
          'else, so that page, report and messages know what happened before. Write 12M for those of twelve months, all, or ' +
          'off. What is older than history.keep is left out.',
        default: '12M',
      }),
    }).meta({ title: 'History' }),
  ),
  database: optional(databaseSchema),
  report: section(
    settings({
      monthly: or(
        [],
        list(
          {
            title: 'Monthly',
            description: 'Mail that gets the report of each month on the first of the next, at 08:00; default none.',
          },
          text({ title: 'Receiver', description: 'The name of one of type email.' }),
        ),
      ),
    }).meta({ title: 'Report' }),
  ),
  ...lists,
  rotas: or([], list({ title: 'Rotas', description: 'Calendars of people on duty, for escalate.' }, rotaSchema)),
  account_defaults: optional(accountDefaultsSchema),
  route: optional(rootRouteSchema),
  severity_overrides: or(
    [],
    list({ title: 'Severity overrides', description: 'The first that matches decides.' }, severityOverrideSchema),
  ),
}).meta({ title: 'Linewatch configuration', description: 'What Linewatch watches and whom it notifies.' });

/** Content of an included file. */
export const fragmentSchema = settings({
  ...lists,
  route: optional(settings({ routes: or([], list({}, routeSchema)) })),
});

/** As written in the file. */
export type ConfigEntry = z.input<typeof configSchema>;
export type FragmentEntry = z.input<typeof fragmentSchema>;

/** A reference is allowed for values of any type, such as numbers. */
const REFERENCE: z.core.JSONSchema.JSONSchema = { type: 'string', pattern: '\\$\\{(env|file|credential):[^{}]+\\}' };

/** JSON Schema (draft 2020-12) for editors. */
export function createConfigJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(configSchema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema, zodSchema }) => {
      const { usually } = jsonSchema;
      if (usually !== undefined) jsonSchema.default = usually;
      delete jsonSchema['usually'];
      const typed =
        zodSchema instanceof z.ZodNumber || zodSchema instanceof z.ZodBoolean || zodSchema instanceof z.ZodEnum;
      if (!typed) return;
      const { title, description, default: otherwise, ...rest } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      const about = { title, description, default: otherwise };
      for (const [key, value] of Object.entries(about)) {
        if (value !== undefined) Object.assign(jsonSchema, { [key]: value });
      }
      jsonSchema.anyOf = [rest, REFERENCE];
    },
  });
  return schema;
}

/** As committed and printed. */
export function formatConfigJsonSchema(): string {
  return `${JSON.stringify(createConfigJsonSchema(), null, 2)}\n`;
}
