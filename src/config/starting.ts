/** The configuration to start from that `config init` writes: right as it stands, but for secrets that nobody gave. */
import { stringify } from 'yaml';
import { isLoopback } from '../net/hosts.ts';
import type { PAGE_TYPE_NAMES } from '../pages/types.ts';
import { configSchema } from './schema.ts';
import { holdAgainst } from './shape.ts';

/** What a person has at hand. */
export interface WantedStart {
  page: WantedPage | null;
  /** The address of the account interface. */
  account: string | null;
  slack: boolean;
  /** Mail addresses. */
  mail: readonly string[];
  /** Null for that of this machine. */
  smtp: MailServer | null;
}

/** A status page, as its entry in the configuration has it. */
export interface WantedPage {
  name: string;
  type: (typeof PAGE_TYPE_NAMES)[number];
  baseUrl: string;
  /** The products and regions that count; null where all of it does. */
  include: readonly string[] | null;
}

export interface MailServer {
  host: string;
  port: number | null;
  user?: string;
}

/** `mail.example.com`, `mail.example.com:465`, `linewatch@example.com@mail.example.com:587`; null for what is none. */
export function readMailServer(written: string): MailServer | null {
  const [, user, host = '', port] = /^(?:(.+)@)?(\[[^\]]+\]|[^:@\s]+)(?::(\d{1,5}))?$/.exec(written) ?? [];
  // What follows a colon before the @ is a password, and does not belong on a command line.
  if (host === '' || user?.includes(':') === true) return null;
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? null : Number(port),
    ...(user !== undefined && { user }),
  };
}

/** A secret, by the name it has in the configuration. */
export interface Credential {
  name: 'account' | 'slack' | 'smtp';
  /** For people. */
  what: string;
  /** What brought it about. */
  option: string;
}

const CREDENTIALS: Readonly<Record<Credential['name'], Credential>> = {
  account: { name: 'account', what: 'the API key of your account', option: '--account' },
  slack: { name: 'slack', what: 'the address of the Slack webhook', option: '--slack' },
  smtp: { name: 'smtp', what: 'the password at the mail server', option: '--smtp' },
};

/** The secrets it needs, in the order in which they are asked for. */
export function credentialsOf({ account, slack, smtp }: WantedStart): Credential[] {
  return [
    ...(account === null ? [] : [CREDENTIALS.account]),
    ...(slack ? [CREDENTIALS.slack] : []),
    ...(smtp?.user === undefined ? [] : [CREDENTIALS.smtp]),
  ];
}

type Known = Partial<Record<Credential['name'], string>>;

interface Mistake {
  option: string;
  message: string;
}

/** Of what is wanted, and of the secrets that are known. The messages show no secret. */
export function whatIsWrong(wanted: WantedStart, known: Known): Mistake[] {
  const { mistakes } = holdAgainst(configSchema, entryOf(wanted, known));
  return mistakes.map(({ path, message }) => ({ option: optionOf(path, wanted), message }));
}

function optionOf([list, index, key]: readonly (string | number)[], { slack }: WantedStart): string {
  if (list === 'status_pages') return '--page';
  if (list === 'accounts') return '--account';
  if (slack && index === 0) return '--slack';
  return key === 'to' || key === 'from' ? '--mail' : '--smtp';
}

/** As the written file reads; a secret that is not known is the reference to it. */
function entryOf({ page, account, slack, mail, smtp }: WantedStart, known: Known): Record<string, unknown> {
  const secret = (name: Credential['name']): string => known[name] ?? reference(name);
  const receivers = [
    ...(slack ? [{ name: 'ops-slack', type: 'slack', webhook_url: secret('slack') }] : []),
    ...(mail.length === 0
      ? []
      : [
          {
            name: 'ops-mail',
            type: 'email',
            smtp: smtpOf(smtp, secret('smtp')),
            from: senderFor(mail, smtp),
            to: mail,
          },
        ]),
  ];
  return {
    ...(page !== null && { status_pages: [pageEntry(page)] }),
    ...(account !== null && {
      accounts: [
        {
          name: 'account',
          base_url: account,
          api_key: secret('account'),
          // Only a page of the provider's own is taken for the one that explains it.
          ...(page !== null && page.type !== 'provider' && { status_page: page.name }),
        },
      ],
    }),
    ...(receivers.length > 0 && { receivers, route: { receivers: receivers.map(({ name }) => name) } }),
  };
}

/** As it is written. */
export function pageEntry({ name, type, baseUrl, include }: WantedPage): Record<string, unknown> {
  return {
    name,
    ...(type !== 'provider' && { type }),
    base_url: baseUrl,
    ...(include !== null && { components: { include } }),
  };
}

function smtpOf(smtp: MailServer | null, password: string): Record<string, unknown> {
  const { host, port, user } = smtp ?? { host: 'localhost', port: null };
  const security = port === 465 ? 'tls' : isLoopback(host) && user === undefined ? 'none' : 'starttls';
  const login = user === undefined ? {} : { username: user, password };
  return { host, ...(port !== null && { port }), security, ...login };
}

/** Many servers take mail only from the one who has logged in. */
function senderFor(mail: readonly string[], smtp: MailServer | null): string {
  const user = smtp?.user;
  if (user?.includes('@') === true) return `Linewatch <${user}>`;
  return `Linewatch <linewatch@${/@([^@>]*)>?$/.exec(mail[0]?.trim() ?? '')?.[1] ?? 'localhost'}>`;
}

function reference(name: Credential['name']): string {
  return `\${credential:${name}}`;
}

export interface Start {
  /** Where editors find the JSON Schema; null where they find none. */
  schema: string | null;
  /** Where state and credentials are; null for what holds where nothing is written. */
  stateDir: string | null;
  credentialsDir: string | null;
  wanted: WantedStart;
}

/** YAML with comments, ending with a line end. Where neither a page nor an account is wanted, both are samples. */
export function startingConfig({ schema, stateDir, credentialsDir, wanted }: Start): string {
  const entry = entryOf(wanted, {});
  const isSample = wanted.page === null && wanted.account === null;
  return [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`]),
    HEAD,
    stateDir === null ? STATE_HINT : `state_dir: ${stateDir}`,
    credentialsDir === null
      ? CREDENTIALS_HINT
      : `credentials_dir: ${credentialsDir}    # a file for each secret, of mode 0600`,
    HTTP_HINT,
    '# Status pages: the provider\'s, and those of other vendors ("linewatch config detect URL" prints their lines).',
    section({ status_pages: entry['status_pages'] }, PAGE, isSample),
    wanted.page === null && !isSample ? '' : pageHints(wanted.page),
    '# Your own accounts at the provider.',
    section({ accounts: entry['accounts'] }, ACCOUNT, false),
    '# Where messages go: slack, email, webhook or pagerduty.',
    section({ receivers: entry['receivers'] }, RECEIVERS, isSample),
    isSample ? MAIL_HINT : '',
    '# Who hears of what. The first child that matches wins; these receivers hear of what no child matches.',
    section({ route: entry['route'] }, ROUTE, isSample),
    isSample || entry['route'] !== undefined ? ROUTE_HINTS : '',
  ]
    .filter((part) => part !== '')
    .join('\n')
    .replace(/\n(?=# (?:http:|Where messages|Who hears|Status pages|Your own))/g, '\n\n')
    .concat('\n');
}

/** What is wanted; else a sample, which counts or is commented out. */
function section(given: Record<string, unknown>, sample: string, sampleCounts: boolean): string {
  const [value] = Object.values(given);
  if (value !== undefined) return stringify(given, { lineWidth: 0, indentSeq: true }).trimEnd();
  return sampleCounts ? sample : sample.replace(/^/gm, '# ');
}

const HEAD = `# Linewatch: what it watches and whom it tells.
# Check it with: linewatch config check. After a change to a running one: systemctl reload linewatch, or SIGHUP.
# Durations are 500ms, 30s, 5m, 2h, 1d. A value may hold \${env:NAME}, \${file:PATH} or \${credential:NAME}, the last
# a file in $CREDENTIALS_DIRECTORY, else in credentials_dir; inside { } and [ ] such a value stands in quotes.

# instance: hq                     # part of every event's source; default: the host's name
# timezone: Australia/Melbourne    # of the times people read; default: the system's`;

const STATE_HINT =
  '# state_dir: ./state               # relative to this file; for the systemd unit: /var/lib/linewatch';
const CREDENTIALS_HINT = '# credentials_dir: /etc/linewatch/credentials    # a file for each secret, of mode 0600';

const HTTP_HINT = `# http:
#   listen: 127.0.0.1:8469         # web page, /metrics, /healthz, /readyz; off for none
#   silences: true                 # the page may make and end silences without a name, at this machine and not through a proxy
#   external_url: https://linewatch.example.com    # links in messages start with it; needs users or proxy_user_header`;

const PAGE = `status_pages:
  - name: provider
    base_url: https://status.example.com`;

function pageHints(page: WantedPage | null): string {
  if (page === null || page.type === 'provider') return PAGE_HINTS;
  return page.include === null ? VENDOR_HINTS : `${CHOICE_HINT}\n${VENDOR_HINTS.replace(/\n.*$/, '')}`;
}

const CHOICE_HINT =
  '    # include: the products and regions you depend on, by name or glob; while it is empty all of them count';
const VENDOR_HINTS = `    # interval: 60s                # at most one request in 10 s
    # interval_during_incident: 30s
    # missing_after: 15m           # when a notice that has left the page is told as no longer listed
    # components: {include: [], exclude: []}    # ids, names or globs`;

const PAGE_HINTS = `    # interval: 30s
    # interval_during_incident: 10s
    # requests_per_second: 5       # may be lowered, never above 5
    # unreachable_after: 3m
    # maintenance_reminders: [24h, 1h]
    # maintenance_grace: 15m
    # components: {include: [], exclude: []}    # ids, names or globs`;

const ACCOUNT = `accounts:
  - name: head-office
    base_url: https://api.example.com
    api_key: \${credential:head-office}`;

const RECEIVERS = `receivers:
  - name: ops-slack
    type: slack
    webhook_url: \${credential:slack}`;

const MAIL_HINT = `  # - name: ops-mail
  #   type: email
  #   smtp: {host: mail.example.com, port: 587, security: starttls, username: linewatch, password: "\${credential:smtp}"}
  #   from: Linewatch <linewatch@example.com>
  #   to: [ops@example.com]`;

const ROUTE = `route:
  receivers: [ops-slack]`;

const ROUTE_HINTS = `  # repeat_interval: 4h            # remind while a critical alert or a warning stays open; 0 for never
  # routes:
  #   - matchers: {severity: [critical]}
  #     receivers: [ops-slack]`;
