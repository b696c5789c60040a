/** `route` and `severity_overrides`: which receivers hear of what, and how bad it is. */
import { z } from 'zod';
import { SEVERITIES } from '../transition/kind.ts';
import { calendarRange, choice, duration, flag, oneOrMore, text, timezone } from './fields.ts';
import { MATCHER_KEYS } from './matchers.ts';

/** What happened to an alert, as a person says it. */
export const ROUTE_EVENTS = ['opened', 'updated', 'resolved', 'info'] as const;

const matcherValue = oneOrMore(
  { title: 'Values', description: 'One value or a list; any of them may match. Globs (* and ?) are allowed.' },
  text({ title: 'Value', description: 'A value or a glob.' }),
);

export const matchersSchema = z.record(z.string(), matcherValue).meta({
  title: 'Matchers',
  description: `Every key has to match: ${MATCHER_KEYS.join(', ')} or any label of an account.`,
});

const receiverNames = z
  .array(text({ title: 'Receiver', description: 'Name of a receiver.' }))
  .meta({ title: 'Receivers', description: 'Names of the receivers that hear of it.' });

const quietHours = z
  .strictObject({
    during: z
      .array(calendarRange({ title: 'Range', description: 'A calendar range.', examples: ['Mon-Sun 22:00-07:00'] }))
      .min(1, { error: 'the list is empty; leave quiet_hours out for none' })
      .meta({
        title: 'During',
        description:
          'When messages for people are held back; they are told at the end. A pause of less than 15 minutes between two ranges is quiet too.',
      }),
    timezone: timezone({ title: 'Time zone', description: 'Of these hours; default that of the instance.' }).optional(),
    let_through: z
      .union([choice({ title: 'Severity', description: 'From this severity on.' }, SEVERITIES), z.literal('none')])
      .meta({
        title: 'Let through',
        description: 'What is told all the same: alerts of this severity or worse, or none.',
        default: 'critical',
      })
      .optional(),
  })
  .meta({ title: 'Quiet hours', description: 'Hold messages for people back, and tell them at the end.' });

const shared = {
  quiet_hours: quietHours.optional(),
  group_wait: duration({
    title: 'Group wait',
    description:
      'Collect so long before the first message. Default 10s; 0s for notices of the provider and whatever is critical.',
  }).optional(),
  repeat_interval: z
    .union([z.literal(0), duration({ title: 'Repeat interval', description: 'A duration.' }, { atLeast: 0 })])
    .meta({
      title: 'Repeat interval',
      description: 'Remind so often while a critical alert or a warning stays open; 0 for never.',
      default: '4h',
    })
    .optional(),
  min_severity: choice(
    { title: 'Least severity', description: 'Alerts below it are not told here.' },
    SEVERITIES,
  ).optional(),
  events: z
    .array(choice({ title: 'Event', description: 'What happened to the alert.' }, ROUTE_EVENTS))
    .min(1, { error: 'the list is empty; leave it out for all events' })
    .meta({ title: 'Events', description: 'Tell only these; default all.' })
    .optional(),
};

const child = {
  matchers: matchersSchema.optional(),
  receivers: receiverNames.optional(),
  continue: flag({ title: 'Continue', description: 'Look at the following routes, too.', default: false }).optional(),
  ...shared,
};

/** A route holds routes, which is more than inference can follow: hence the type by hand. */
export type RouteEntry = { [K in keyof typeof child]?: z.infer<(typeof child)[K]> } & {
  routes?: RouteEntry[] | undefined;
};

export const routeSchema: z.ZodType<RouteEntry> = z
  .strictObject({
    ...child,
    get routes(): z.ZodOptional<z.ZodArray<z.ZodType<RouteEntry>>> {
      return z.array(routeSchema).meta({ title: 'Routes', description: 'The first that matches wins.' }).optional();
    },
  })
  .meta({ id: 'route', title: 'Route' });

/** The root matches everything, so it has neither matchers nor `continue`. */
export const rootRouteSchema = z
  .strictObject({
    receivers: receiverNames.optional(),
    ...shared,
    routes: z.array(routeSchema).meta({ title: 'Routes', description: 'The first that matches wins.' }).optional(),
  })
  .meta({ title: 'Root route', description: 'Its receivers hear of what no child matches. Needed to run.' });

export type RootRouteEntry = z.infer<typeof rootRouteSchema>;

export const severityOverrideSchema = z
  .strictObject({
    matchers: matchersSchema,
    severity: choice({ title: 'Severity', description: 'The severity it gets.' }, SEVERITIES),
  })
  .meta({ id: 'severity_override', title: 'Severity override' });

export type SeverityOverrideEntry = z.infer<typeof severityOverrideSchema>;
