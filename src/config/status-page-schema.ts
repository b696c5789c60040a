/** `status_pages`: the provider's pages to watch. */
import * as z from 'zod';
import { baseAddress } from './address.ts';
import { DAY, formatDuration } from '../core/text/duration.ts';
import { duration, name, number, optional, or, section, settings, text } from './fields.ts';

/** The provider's documented limit of the status interface, requests in a second. */
export const MOST_STATUS_REQUESTS = 5;

const pattern = text({ title: 'Component', description: 'An id, a name, or a glob (* and ?) over names.' });

const DURING_INCIDENT = 10_000;

/** Durations are milliseconds; addresses have no slash at their end; reminders come longest first. */
export const statusPageSchema = settings({
  name: name({ title: 'Name', description: 'Unique among all status pages and accounts.', examples: ['provider'] }),
  base_url: baseAddress({
    title: 'Base address',
    description: 'Address of the status interface.',
    examples: ['https://status.example.com'],
  }),
  interval: duration(
    { title: 'Interval', description: 'From the start of one sweep to the start of the next.', default: '30s' },
    { atLeast: 1, atMost: DAY },
  ),
  interval_during_incident: optional(
    duration(
      {
        title: 'Interval during an incident',
        description: 'While a notice is investigating or identified, and 2 h after its last update.',
        usually: formatDuration(DURING_INCIDENT),
      },
      { atLeast: 1, atMost: DAY },
    ),
  ),
  requests_per_second: number(
    { title: 'Requests per second', description: 'May be lowered, never above 5.', default: MOST_STATUS_REQUESTS },
    { above: 0, atMost: MOST_STATUS_REQUESTS },
    'the provider allows never above 5 requests per second',
  ),
  unreachable_after: duration(
    { title: 'Unreachable after', description: 'How long it may stay unread before that is told.', default: '3m' },
    { atLeast: 1 },
  ),
  maintenance_reminders: z
    .array(duration({ title: 'Reminder', description: 'So long before planned work begins.' }, { atLeast: 1 }))
    .meta({ title: 'Maintenance reminders', description: 'How long before planned work to remind of it.' })
    .transform((all) => [...new Set(all.filter((one) => one !== null))].toSorted((a, b) => b - a))
    .prefault(['24h', '1h']),
  maintenance_grace: duration({
    title: 'Maintenance grace',
    description: 'How long planned work may be late or over before that is told.',
    default: '15m',
  }),
  components: section(
    settings({
      include: or(
        [],
        z.array(pattern).meta({ title: 'Include', description: 'Watch only these and their children; default all.' }),
      ),
      exclude: or([], z.array(pattern).meta({ title: 'Exclude', description: 'Leave out these and their children.' })),
    }).meta({ title: 'Components', description: 'Which components are told of.' }),
  ),
})
  .transform((page) => ({
    ...page,
    // Whoever asks for a shorter interval than ours during an incident means it during an incident, too.
    intervalDuringIncident: page.intervalDuringIncident ?? Math.min(page.interval, DURING_INCIDENT),
  }))
  .meta({ id: 'status_page', title: 'Status page' });

/** As it is written. */
export type StatusPageEntry = z.input<typeof statusPageSchema>;
