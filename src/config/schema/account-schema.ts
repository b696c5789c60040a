/** `accounts` and `account_defaults`: accounts at the provider with their phones and toggles. */
import * as z from 'zod';
import { WITHOUT_PHONES } from '../../core/correlation/cause.ts';
import { SEVERITIES } from '../../core/transition/kind.ts';
import { isBearerToken } from '../../net/secret-forms.ts';
import { baseAddress } from '../address.ts';
import { callFields } from './call-schema.ts';
import {
  calendarRanges,
  choice,
  date,
  duration,
  list,
  name,
  number,
  optional,
  or,
  secret,
  section,
  settings,
  text,
  timezone,
  withoutGaps,
} from './fields.ts';
import { DAY } from '../../core/text/duration.ts';

/** Requests per second, shared between registrations and toggles. */
const MOST_ACCOUNT_REQUESTS = 10;

const shortest = { atLeast: 1, atMost: DAY };

const extension = text({ title: 'Extension', description: 'An extension number.' }, (value) =>
  /^[0-9A-Za-z*#+_.-]+$/.test(value) ? null : 'an extension is a number as the phones dial it, without spaces',
);

const registrations = settings({
  interval: duration(
    { title: 'Interval', description: 'From the start of one sweep to the start of the next.', default: '60s' },
    shortest,
  ),
  extensions: z
    .union([z.literal('all'), z.array(extension.optional())])
    .meta({
      title: 'Extensions',
      description: 'all: every one seen registered since the baseline; or a list of numbers.',
    })
    .transform((given) => (given === 'all' ? given : withoutGaps(given)))
    .prefault('all'),
  ignore: or([], list({ title: 'Ignore', description: 'Extensions to leave out.' }, extension)),
  // An empty list does not mean "never": to stop watching, remove the account.
  watch_during: optional(
    calendarRanges(
      {
        title: 'Watch during',
        description: 'When a missing phone matters; default always, but for phones at hours they log off on most days.',
      },
      { title: 'Range', description: 'A calendar range.', examples: ['Mon-Fri 08:00-18:00'] },
    ),
  ).transform((ranges) => (ranges?.length === 0 ? null : ranges)),
  offline_after: duration({
    title: 'Offline after',
    description: 'And absent from at least 2 complete sweeps.',
    default: '5m',
  }),
  mass: section(
    settings({
      count: number(
        { title: 'Count', description: 'At least so many phones.', default: 3 },
        { atLeast: 1, whole: true },
      ),
      percent: number(
        { title: 'Percent', description: 'And at least this share of a site, a model or the account.', default: 30 },
        { above: 0, atMost: 100 },
      ),
    }).meta({ title: 'Mass loss', description: 'When lost phones are one event.' }),
  ),
}).meta({ title: 'Registrations', description: 'Phones that should be registered.' });

const exception = settings({
  dates: list(
    { title: 'Dates', description: 'The days it is for.' },
    date({ title: 'Date', description: 'A day.', examples: ['2026-12-25'] }),
    'the list is empty; name at least one date',
  ),
  on_during: calendarRanges(
    { title: 'On during', description: 'When it should be on on these days; none for not at all.' },
    { title: 'Range', description: 'A time range without days.', examples: ['00:00-24:00'] },
  ),
}).meta({ title: 'Exception', description: 'Days with other hours.' });

const expectation = settings({
  toggle: text({ title: 'Toggle', description: 'Its id or its name.' }),
  on_during: calendarRanges(
    { title: 'On during', description: 'When it should be on; outside it should be off.' },
    {
      title: 'Range',
      description: 'A calendar range.',
      examples: ['Mon-Thu 17:30-08:30', 'Fri 17:30-Mon 08:30'],
    },
  ),
  except: or([], list({ title: 'Except', description: 'Days with other hours.' }, exception)),
  timezone: optional(timezone({ title: 'Time zone', description: 'Of these hours; default that of the instance.' })),
  grace: duration({
    title: 'Grace',
    description: 'How long it may differ before an alert.',
    default: '10m',
  }),
  severity: choice({ title: 'Severity', description: 'Of the alert.', default: 'warning' }, SEVERITIES),
}).meta({ title: 'Expectation' });

const toggles = settings({
  interval: duration(
    { title: 'Interval', description: 'From the start of one sweep to the start of the next.', default: '60s' },
    shortest,
  ),
  expect: or([], list({ title: 'Expect', description: 'When which toggle should be on.' }, expectation)),
}).meta({ title: 'Toggles', description: 'Action toggles that should follow the hours.' });

/** Any single-line text. */
const label = text({ title: 'Label', description: 'A value for matchers.' }, (value) =>
  /^[^\r\n]{1,200}$/.test(value) ? null : 'a label is one line of 1 to 200 characters',
);

const pageName = text({ title: 'Status page', description: 'Name of a page.' });

/** A site's name, or its name and the pages that only affect it, such as its carrier's. */
const site = z.union([
  label,
  settings({
    name: label,
    status_pages: or(
      [],
      list(
        {
          title: 'Status pages',
          description: 'Status pages that may explain a loss at this site, the likeliest first.',
        },
        pageName,
      ),
    ),
    components: optional(
      list(
        {
          title: 'Components',
          description:
            'Of those pages: only their trouble explains a loss at this site. Default: fibre, DSL, access, routing, power, data centre and the like.',
          examples: [['Metro Melbourne', '*fibre*']],
        },
        text({ title: 'Component', description: 'An id, a name or a glob.' }),
      ),
    ),
  }).meta({ title: 'Site' }),
]);

const defaultable = {
  base_url: or(
    '',
    baseAddress(
      {
        title: 'Base address',
        description: 'Address of the account interface; plain http only to a loopback address.',
        examples: ['https://api.example.com'],
      },
      { confidential: 'the API key would travel unprotected' },
    ),
  ),
  api_key: or(
    '',
    secret({ title: 'API key', description: 'A secret.', examples: ['${credential:head-office}'] }, (value) =>
      isBearerToken(value)
        ? null
        : 'it holds a blank, a line break or a letter beyond ASCII, which no key can be sent with; look for what was pasted along with it',
    ),
  ),
  status_page: optional(
    text({
      title: 'Status page',
      description: "Name of the page whose trouble explains this account's; default the only one.",
    }),
  ),
  status_pages: optional(
    list(
      {
        title: 'Status pages',
        description: 'Several pages, of whatever vendor, whose trouble may explain lost phones: the likeliest first.',
        examples: [['provider', 'carrier']],
      },
      pageName,
    ),
  ),
  components_without_phones: or(
    [...WITHOUT_PHONES],
    list(
      {
        title: 'Components without phones',
        description:
          'Of that page: their trouble explains no lost phone. Default: SMS, fax, portal, billing, recording and the like.',
        examples: [['SMS*', 'Customer portal']],
      },
      text({ title: 'Component', description: 'An id, a name or a glob.' }),
    ),
  ),
  labels: or(
    {},
    z
      .record(z.string(), label)
      .meta({ title: 'Labels', description: 'For matchers.', examples: [{ customer: 'acme' }] }),
  ),
  sites: or(
    {},
    z
      .record(z.string(), site)
      .meta({ title: 'Sites', description: 'Names of external addresses.', examples: [{ '203.0.113.7': 'Richmond' }] }),
  ),
  requests_per_second: number(
    { title: 'Requests per second', description: 'Shared fairly by registrations and toggles.', default: 2 },
    { above: 0, atMost: MOST_ACCOUNT_REQUESTS },
  ),
  unreachable_after: duration(
    { title: 'Unreachable after', description: 'How long it may stay unread before an alert.', default: '5m' },
    { atLeast: 1 },
  ),
  registrations: section(registrations),
  toggles: section(toggles),
  ...callFields,
};

export const accountDefaultsSchema = settings(defaultable).meta({
  id: 'account_defaults',
  title: 'Account defaults',
  description: 'Any key of an account but its name; an account that says otherwise wins.',
});

const displayName = optional(
  text(
    {
      title: 'Display name',
      description:
        'How messages call it; titles do where more than one account is watched. Default its label customer, else its name.',
      examples: ['Acme Pty Ltd'],
    },
    (value) => (/^[^\r\n]{1,80}$/.test(value) ? null : 'a display name is one line of 1 to 80 characters'),
  ),
);

/** Settings of an account in a recorded history, below its name. */
export const historyAccountSchema = settings({ display_name: displayName, ...defaultable });

/** `base_url` and `api_key` are required, here or in the defaults. Durations are milliseconds. */
export const accountSchema = settings({
  name: name({
    title: 'Name',
    description: 'Unique among all status pages and accounts.',
    examples: ['head-office'],
  }),
  display_name: displayName,
  ...defaultable,
}).meta({
  id: 'account',
  title: 'Account',
  description: 'name, base_url and api_key are needed; the last two may come from account_defaults.',
});

/** As written in the file. */
export type AccountEntry = z.input<typeof accountSchema>;
