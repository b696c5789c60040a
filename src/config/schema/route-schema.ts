/** `route` and `severity_overrides`: receivers by alert, and severities. */
import * as z from 'zod';
import { ESCALATION_STOPS, ROUTE_EVENTS } from '../../core/alert/route.ts';
import { SEVERITIES } from '../../core/transition/kind.ts';
import { formatDuration, HOUR } from '../../core/text/duration.ts';
import {
  calendarRanges,
  choice,
  duration,
  flag,
  list,
  oneOrMore,
  optional,
  or,
  settings,
  text,
  timezone,
} from './fields.ts';
import { MATCHER_KEYS } from '../matcher-mistakes.ts';

/** Default interval of reminders, in milliseconds. */
export const REPEAT_INTERVAL = 4 * HOUR;

/** Default time to collect before the first message, in milliseconds. */
export const GROUP_WAIT = 10_000;

const matcherValue = oneOrMore(
  { title: 'Values', description: 'One value or a list; any of them may match. Globs (* and ?) are allowed.' },
  text({ title: 'Value', description: 'A value or a glob.' }),
);

const matchersSchema = z.record(z.string(), matcherValue).meta({
  title: 'Matchers',
  description: `Every key has to match: ${MATCHER_KEYS.join(', ')} or any label of an account.`,
});

const receiverNames = list(
  { title: 'Receivers', description: 'Names of the receivers that get it.' },
  text({ title: 'Receiver', description: 'Name of a receiver.' }),
).transform((names) => [...new Set(names)]);

const quietHours = settings({
  during: calendarRanges(
    {
      title: 'During',
      description:
        'When messages for people are held back; they are sent at the end. A pause of less than 15 minutes between two ranges is quiet too.',
    },
    { title: 'Range', description: 'A calendar range.', examples: ['Mon-Sun 22:00-07:00'] },
    'the list is empty; leave quiet_hours out for none',
  ),
  timezone: optional(timezone({ title: 'Time zone', description: 'Of these hours; default that of the instance.' })),
  let_through: z
    .union([choice({ title: 'Severity', description: 'From this severity on.' }, SEVERITIES), z.literal('none')])
    .meta({
      title: 'Let through',
      description: 'What is sent all the same: alerts of this severity or worse, or none.',
    })
    .transform((severity) => (severity === 'none' ? null : severity))
    .prefault('critical'),
}).meta({ title: 'Quiet hours', description: 'Hold messages for people back, and send them at the end.' });

const escalation = settings({
  after: duration({ title: 'After', description: 'So long after the alert opened.', default: '15m' }, { atLeast: 1 }),
  unless: choice(
    {
      title: 'Unless',
      description: 'What stops it: an acknowledgement, or only the end of the alert.',
      default: 'acknowledged',
    },
    ESCALATION_STOPS,
  ),
  receivers: list(
    { title: 'Receivers', description: 'Names of receivers or rotas.' },
    text({ title: 'Receiver', description: 'Name of a receiver or a rota.' }),
    'the list is empty; name who gets it',
  ),
}).meta({ title: 'Escalation' });

/** Null inherits from the parent route. */
const shared = {
  quiet_hours: optional(quietHours),
  group_wait: optional(
    duration({
      title: 'Group wait',
      description: `Collect so long before the first message. Default ${formatDuration(GROUP_WAIT)}; 0s for notices of the provider and whatever is critical.`,
    }),
  ),
  repeat_interval: optional(
    z.union([z.literal(0), duration({ title: 'Repeat interval', description: 'A duration.' }, { atLeast: 0 })]).meta({
      title: 'Repeat interval',
      description: 'Remind so often while a critical alert or a warning stays open; 0 for never.',
      usually: formatDuration(REPEAT_INTERVAL),
    }),
  ),
  escalate: optional(
    list({ title: 'Escalate', description: 'More receivers for an alert that stays open; default none.' }, escalation),
  ),
  min_severity: optional(
    choice({ title: 'Least severity', description: 'Alerts below it are not sent here.' }, SEVERITIES),
  ),
  events: optional(
    list(
      { title: 'Events', description: 'Tell only these; default all.' },
      choice({ title: 'Event', description: 'What happened to the alert.' }, ROUTE_EVENTS),
      'the list is empty; leave it out for all events',
    ),
  ),
};

const child = {
  matchers: or({}, matchersSchema),
  receivers: optional(receiverNames),
  continue: flag({ title: 'Continue', description: 'Look at the following routes, too.', default: false }),
  ...shared,
};

const children = { title: 'Routes', description: 'The first that matches wins.' };
const withoutRoutes = settings(child);

/** Routes are recursive, which type inference does not support. */
export type RouteEntry = z.input<typeof withoutRoutes> & { routes?: (RouteEntry | undefined)[] | undefined };
export type RouteSettings = z.output<typeof withoutRoutes> & { routes: RouteSettings[] };

export const routeSchema: z.ZodType<RouteSettings, RouteEntry> = settings({
  ...child,
  get routes() {
    return or([], list(children, routeSchema));
  },
}).meta({ id: 'route', title: 'Route' });

/** The root matches everything: no matchers, no `continue`. */
export const rootRouteSchema = settings({
  receivers: optional(receiverNames),
  ...shared,
  routes: or([], list(children, routeSchema)),
}).meta({
  title: 'Root route',
  description: 'Its receivers get what no child matches. Needed to run.',
});

export type RootRouteSettings = z.output<typeof rootRouteSchema>;

export const severityOverrideSchema = settings({
  matchers: matchersSchema,
  severity: choice({ title: 'Severity', description: 'The severity it gets.' }, SEVERITIES),
}).meta({ id: 'severity_override', title: 'Severity override' });
