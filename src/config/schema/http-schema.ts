/** Page and probes: listen address, access and permissions. */
import { baseAddress, listen } from '../address.ts';
import { flag, list, oneOrMore, optional, or, secret, settings, text } from './fields.ts';

function userName(value: string): string | null {
  return /^[^\s:\p{Cc}]{1,100}$/u.test(value) ? null : 'a name is one word without ":", at most 100 characters';
}

function passwordHash(value: string): string | null {
  return /^scrypt:\d+:\d+:\d+:[\w-]+:[\w-]+$/.test(value)
    ? null
    : 'this is no hash of a password; `linewatch config password` prints one';
}

export const httpSchema = settings({
  listen: listen({
    title: 'Listen',
    description: 'host:port of the web page, metrics and health; off for none.',
    default: '127.0.0.1:8469',
  }),
  silences: flag({
    title: 'Silences',
    description:
      'Whether the page may be changed at this machine without a name: take alerts, make and end silences, send again. Never through a proxy.',
    default: false,
  }),
  metrics_by_phone: flag({
    title: 'Metrics by phone',
    description: 'Whether /metrics also has a series for each missing phone, by extension; else by site only.',
    default: false,
  }),
  users: or(
    [],
    list(
      { title: 'Users', description: 'Who may look at the page from elsewhere, with name and password.' },
      settings({
        name: text({ title: 'Name', description: 'As it is typed to sign in.' }, userName),
        password_hash: secret(
          { title: 'Password hash', description: 'What `linewatch config password` prints. A secret.' },
          passwordHash,
        ),
        customers: optional(
          oneOrMore(
            {
              title: 'Customers',
              description:
                'Customers the user sees, and no others: label customer of accounts, or the name of an account without one. Such a user looks and changes nothing. Default: everything.',
              examples: [['acme']],
            },
            text({
              title: 'Customer',
              description: 'Label customer of its accounts, or the name of an account without one.',
            }),
          ),
        ),
      }).meta({ title: 'User' }),
    ),
  ),
  proxy_user_header: optional(
    text({
      title: 'Proxy user header',
      description:
        'The header in which a proxy on this machine names who looks, such as X-Remote-User. The proxy has to set it itself at every request, in place of what comes from outside.',
    }),
  ),
  may_change: optional(
    oneOrMore(
      {
        title: 'May change',
        description:
          'Who may change something on the page: others only look. Default: every user of users, and nobody whom only the proxy names. An empty list: nobody.',
        examples: [['alex']],
      },
      text({ title: 'Name', description: 'As the user signs in, or as the proxy gives it.' }),
      true,
    ),
  ),
  external_url: optional(
    baseAddress({
      title: 'External address',
      description:
        'How people reach the web page; links in messages start with it. What comes through a proxy then needs users or proxy_user_header.',
    }),
  ),
}).meta({ title: 'HTTP' });
