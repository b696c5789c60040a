/** Comments and samples of the configuration template. */

export const HEAD = `# Linewatch: what it watches and whom it tells.
# Check it with: linewatch config check. After a change to a running one: systemctl reload linewatch, or SIGHUP.
# Durations are 500ms, 30s, 5m, 2h, 1d. A value may hold \${env:NAME}, \${file:PATH} or \${credential:NAME}, the last
# a file in $CREDENTIALS_DIRECTORY, else in credentials_dir; inside { } and [ ] such a value stands in quotes.

# instance: hq                     # part of every event's source; default: the host's name`;

export const ZONE_HINT = "# timezone: Australia/Melbourne    # of the times people read; default: the system's";

export const STATE_HINT =
  '# state_dir: ./state               # relative to this file; for the systemd unit: /var/lib/linewatch';
export const CREDENTIALS_HINT =
  '# credentials_dir: /etc/linewatch/credentials    # a file for each secret, of mode 0600';

export const HTTP_HINT = `# http:
#   listen: 127.0.0.1:8469         # web page, /metrics, /healthz, /readyz; off for none
#   silences: true                 # the page may make and end silences without a name, at this machine and not through a proxy
#   external_url: https://linewatch.example.com    # links in messages start with it; needs users or proxy_user_header`;

export const PAGE = `status_pages:
  - name: provider
    base_url: https://status.example.com`;

export const CHOICE_HINT =
  '    # include: the products and regions you depend on, by name or glob; while it is empty all of them count';
export const VENDOR_HINTS = `    # interval: 60s                # at most one request in 10 s
    # interval_during_incident: 30s
    # missing_after: 15m           # when a notice that has left the page is told as no longer listed
    # components: {include: [], exclude: []}    # ids, names or globs`;

export const PAGE_HINTS = `    # interval: 30s
    # interval_during_incident: 10s
    # requests_per_second: 5       # may be lowered, never above 5
    # unreachable_after: 3m
    # maintenance_reminders: [24h, 1h]
    # maintenance_grace: 15m
    # components: {include: [], exclude: []}    # ids, names or globs`;

export const ACCOUNT = `accounts:
  - name: head-office
    base_url: https://api.example.com
    api_key: \${credential:head-office}`;

export const RECEIVERS = `receivers:
  - name: ops-slack
    type: slack
    webhook_url: \${credential:slack}`;

export const MAIL_HINT = `  # - name: ops-mail
  #   type: email
  #   smtp: {host: mail.example.com, port: 587, security: starttls, username: linewatch, password: "\${credential:smtp}"}
  #   from: Linewatch <linewatch@example.com>
  #   to: [ops@example.com]`;

export const ROUTE = `route:
  receivers: [ops-slack]`;

export const REPEAT_HINT =
  '  # repeat_interval: 4h            # remind while a critical alert or a warning stays open; 0 for never';
export const ROUTES_HINT = `  # routes:
  #   - matchers: {severity: [critical]}
  #     receivers: [ops-slack]`;
