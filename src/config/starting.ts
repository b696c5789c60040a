/** The configuration to start from that `config init` writes: valid as it stands but for its secrets. */

/** `schema` is where editors find the JSON Schema; without it they find none. */
export function startingConfig(schema: string | null = null, forUnit = false): string {
  const text = forUnit ? STARTING.replace(HERE, UNIT) : STARTING;
  return schema === null ? text : `# yaml-language-server: $schema=${schema}\n${text}`;
}

const HERE = `# state_dir: ./state               # relative to this file; for the systemd unit: /var/lib/linewatch
# credentials_dir: /etc/linewatch/credentials    # for the systemd unit: /run/credentials/linewatch.service
`;

/** Where the service keeps its state and gets its credentials: commands beside it look there, too. */
const UNIT = `state_dir: /var/lib/linewatch
credentials_dir: /run/credentials/linewatch.service
`;

const STARTING = `# Linewatch: what it watches and whom it tells.
# Check it with: linewatch config check. After a change to a running one: systemctl reload linewatch, or SIGHUP.
# Durations are 500ms, 30s, 5m, 2h, 1d. A value may hold \${env:NAME}, \${file:PATH} or \${credential:NAME}, the last
# a file in $CREDENTIALS_DIRECTORY, else in credentials_dir; inside { } and [ ] such a value stands in quotes.

# instance: hq                     # part of every event's source; default: the host's name
# timezone: Australia/Melbourne    # of the times people read; default: the system's
${HERE}
# http:
#   listen: 127.0.0.1:8469         # web page, /metrics, /healthz, /readyz; off for none
#   silences: true                 # the page may make and end silences; everybody on this machine can use it
#   external_url: https://linewatch.example.com    # links in messages start with it

# The provider's status pages.
status_pages:
  - name: provider
    base_url: https://status.example.com
    # interval: 30s
    # interval_during_incident: 10s
    # requests_per_second: 5       # may be lowered, never above 5
    # unreachable_after: 3m
    # maintenance_reminders: [24h, 1h]
    # maintenance_grace: 15m
    # components: {include: [], exclude: []}    # ids, names or globs

# Your own accounts at the provider.
# accounts:
#   - name: head-office
#     base_url: https://api.example.com
#     api_key: \${credential:head-office}

# Where messages go: slack, email, webhook or pagerduty.
receivers:
  - name: ops-slack
    type: slack
    webhook_url: \${credential:slack}
  # - name: ops-mail
  #   type: email
  #   smtp: {host: mail.example.com, port: 587, security: starttls, username: linewatch, password: "\${credential:smtp}"}
  #   from: Linewatch <linewatch@example.com>
  #   to: [ops@example.com]

# Who hears of what. The first child that matches wins; these receivers hear of what no child matches.
route:
  receivers: [ops-slack]
  # repeat_interval: 4h            # remind while a critical alert or a warning stays open; 0 for never
  # routes:
  #   - matchers: {severity: [critical]}
  #     receivers: [ops-slack, ops-mail]
`;
