/** `status_pages`: the provider's pages to watch. */
import { z } from 'zod';
import { address } from './address.ts';
import { duration, name, number, text } from './fields.ts';

/** The provider's documented limit of the status interface, requests in a second. */
export const MOST_STATUS_REQUESTS = 5;

const pattern = text({ title: 'Component', description: 'An id, a name, or a glob (* and ?) over names.' });

export const statusPageSchema = z
  .strictObject({
    name: name({ title: 'Name', description: 'Unique among all status pages and accounts.', examples: ['provider'] }),
    base_url: address(
      {
        title: 'Base address',
        description: 'Address of the status interface.',
        examples: ['https://status.example.com'],
      },
      { base: true },
    ),
    interval: duration(
      { title: 'Interval', description: 'From the start of one sweep to the start of the next.', default: '30s' },
      { atLeast: 1, atMost: 86_400_000 },
    ).optional(),
    interval_during_incident: duration(
      {
        title: 'Interval during an incident',
        description: 'While a notice is investigating or identified, and 2 h after its last update.',
        default: '10s',
      },
      { atLeast: 1, atMost: 86_400_000 },
    ).optional(),
    requests_per_second: number(
      { title: 'Requests per second', description: 'May be lowered, never above 5.', default: MOST_STATUS_REQUESTS },
      { above: 0, atMost: MOST_STATUS_REQUESTS },
      'the provider allows never above 5 requests per second',
    ).optional(),
    unreachable_after: duration(
      { title: 'Unreachable after', description: 'How long it may stay unread before that is told.', default: '3m' },
      { atLeast: 1 },
    ).optional(),
    maintenance_reminders: z
      .array(duration({ title: 'Reminder', description: 'So long before planned work begins.' }, { atLeast: 1 }))
      .meta({
        title: 'Maintenance reminders',
        description: 'How long before planned work to remind of it.',
        default: ['24h', '1h'],
      })
      .optional(),
    maintenance_grace: duration({
      title: 'Maintenance grace',
      description: 'How long planned work may be late or over before that is told.',
      default: '15m',
    }).optional(),
    components: z
      .strictObject({
        include: z
          .array(pattern)
          .meta({ title: 'Include', description: 'Watch only these and their children; default all.' })
          .optional(),
        exclude: z
          .array(pattern)
          .meta({ title: 'Exclude', description: 'Leave out these and their children.' })
          .optional(),
      })
      .meta({ title: 'Components', description: 'Which components are told of.' })
      .optional(),
  })
  .meta({ id: 'status_page', title: 'Status page' });

export type StatusPageEntry = z.infer<typeof statusPageSchema>;
