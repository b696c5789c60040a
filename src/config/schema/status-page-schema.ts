/** `status_pages`: pages of the provider and of other vendors. */
import type * as z from 'zod';
import { address } from '../address.ts';
import { PACE } from '../../core/observation/limits.ts';
import { DAY, formatDuration, MINUTE, SECOND } from '../../core/text/duration.ts';
import { trimEndSlashes } from '../../core/text/plain.ts';
import { PAGE_TYPE_NAMES } from '../../pages/types.ts';
import { choice, duration, flag, list, name, number, optional, or, section, settings, text } from './fields.ts';

const pattern = text({ title: 'Component', description: 'An id, a name, or a glob (* and ?) over names.' });

/** Default intervals: the provider allows five requests per second. */
const USUAL = {
  provider: { interval: 30 * SECOND, duringIncident: 10 * SECOND, requestsPerSecond: PACE.statusRequestsPerSecond },
  vendor: { interval: MINUTE, duringIncident: 30 * SECOND, requestsPerSecond: 0.1 },
} as const;

function defaultsOf(key: 'interval' | 'duringIncident'): string {
  return `default ${formatDuration(USUAL.provider[key])}, of other vendors ${formatDuration(USUAL.vendor[key])}`;
}

/** Durations are milliseconds; addresses lack a trailing slash; reminders are sorted longest first. */
export const statusPageSchema = settings({
  name: name({ title: 'Name', description: 'Unique among all status pages and accounts.', examples: ['provider'] }),
  type: choice(
    {
      title: 'Type',
      description: 'Whose page it is: provider, or the system another vendor publishes it with; feed is RSS or Atom.',
      default: 'provider',
    },
    PAGE_TYPE_NAMES,
  ),
  base_url: address({
    title: 'Base address',
    description:
      "Address of the status page, as a person types it; for feeds the feed's own, for Status.io with the page's id.",
    examples: ['https://status.example.com'],
  }),
  interval: optional(
    duration(
      {
        title: 'Interval',
        description: `From the start of one sweep to the start of the next; ${defaultsOf('interval')}.`,
        usually: formatDuration(USUAL.provider.interval),
      },
      { atLeast: 1, atMost: DAY },
    ),
  ),
  interval_during_incident: optional(
    duration(
      {
        title: 'Interval during an incident',
        description: `While a notice is investigating or identified, and 2 h after its last update; ${defaultsOf('duringIncident')}.`,
        usually: formatDuration(USUAL.provider.duringIncident),
      },
      { atLeast: 1, atMost: DAY },
    ),
  ),
  requests_per_second: optional(
    number(
      {
        title: 'Requests per second',
        description: `May be lowered, never above ${PACE.statusRequestsPerSecond}; default ${USUAL.provider.requestsPerSecond}, of other vendors ${USUAL.vendor.requestsPerSecond}: one every 10 s.`,
        usually: PACE.statusRequestsPerSecond,
      },
      { above: 0, atMost: PACE.statusRequestsPerSecond },
      `the provider allows never above ${PACE.statusRequestsPerSecond} requests per second`,
    ),
  ),
  unreachable_after: duration(
    { title: 'Unreachable after', description: 'How long it may stay unread before an alert.', default: '3m' },
    { atLeast: 1 },
  ),
  maintenance_reminders: list(
    { title: 'Maintenance reminders', description: 'How long before planned work to remind of it.' },
    duration({ title: 'Reminder', description: 'So long before planned work begins.' }, { atLeast: 1 }),
  )
    .transform((all) => [...new Set(all.filter((one) => one !== null))].toSorted((a, b) => b - a))
    .prefault(['24h', '1h']),
  maintenance_grace: duration({
    title: 'Maintenance grace',
    description: 'How long planned work may be late or over before a message says so.',
    default: '15m',
  }),
  missing_after: duration(
    {
      title: 'Missing after',
      description:
        'For pages that do not show how notices end: how long a notice has to be absent before a message says so.',
      default: '15m',
    },
    { atLeast: 1 },
  ),
  accept_new_page: flag({
    title: 'Accept the new page',
    description: 'The other page that was found at this address is the right one; take it out again after a reload.',
    default: false,
  }),
  components: section(
    settings({
      include: or(
        [],
        list({ title: 'Include', description: 'Watch only these and their children; default all.' }, pattern),
      ),
      exclude: or([], list({ title: 'Exclude', description: 'Leave out these and their children.' }, pattern)),
    }).meta({ title: 'Components', description: 'Which components are watched.' }),
  ),
})
  .transform((page) => {
    const usual = USUAL[page.type === 'provider' ? 'provider' : 'vendor'];
    const interval = page.interval ?? usual.interval;
    return {
      ...page,
      // The trailing slash of a feed's address is significant.
      baseUrl: page.type === 'feed' ? page.baseUrl : trimEndSlashes(page.baseUrl),
      interval,
      // An interval shorter than the default during incidents also applies during incidents.
      intervalDuringIncident: page.intervalDuringIncident ?? Math.min(interval, usual.duringIncident),
      requestsPerSecond: page.requestsPerSecond ?? usual.requestsPerSecond,
    };
  })
  .meta({ id: 'status_page', title: 'Status page' });

/** As written in the file. */
export type StatusPageEntry = z.input<typeof statusPageSchema>;
