import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startCommand } from '../process.ts';
import { debian, versionOf } from './packages.ts';
import { together, type Peer } from './peer.ts';

export async function prometheus(packages: string): Promise<Peer> {
  const binary = async (name: string): Promise<string> => join(await debian(packages, name), 'usr/bin', name);
  const [server, exporter, alerts] = [
    await binary('prometheus'),
    await binary('prometheus-blackbox-exporter'),
    await binary('prometheus-alertmanager'),
  ];
  const shared = join(await debian(packages, 'prometheus-alertmanager'), 'usr/share');
  const versions = [server, exporter, alerts].map((one) => versionOf(one, '--version'));
  return {
    name: 'Prometheus, blackbox exporter, Alertmanager',
    version: (await Promise.all(versions)).join(', '),
    takes: 'http',
    shownBy: '/status',
    isOutage: (text) => text.includes('"status":"firing"'),
    async start({ folder, addresses, receiverPort, ports }) {
      const [web, probes, router] = ports.map((port) => `127.0.0.1:${port}`) as [string, string, string];
      const write = (name: string, value: object): Promise<void> => writeFile(join(folder, name), stringify(value));
      await write('blackbox.yml', { modules: { whole: probe([]), operational: probe(['"state":"operational"']) } });
      await write('rules.yml', RULES);
      await write('prometheus.yml', scraping(addresses, probes, router));
      await write('alertmanager.yml', routing(receiverPort));
      const data = (name: string): string => `--storage${name === 'server' ? '.tsdb' : ''}.path=${folder}/${name}`;
      return together([
        startCommand(exporter, ['--config.file=blackbox.yml', `--web.listen-address=${probes}`], folder),
        startCommand(
          '/usr/bin/unshare',
          [
            ...withFiles(shared, '/usr/share'),
            alerts,
            '--config.file=alertmanager.yml',
            data('alerts'),
            `--web.listen-address=${router}`,
            '--cluster.listen-address=',
          ],
          folder,
        ),
        startCommand(server, ['--config.file=prometheus.yml', data('server'), `--web.listen-address=${web}`], folder),
      ]);
    },
    cannot: [
      'sees that a text is missing from an answer, not which component it is or what a notice says',
      'three processes',
    ],
  };
}

/** Debian's build reads its templates at a fixed place: for the program alone, the package's files are there, too. */
function withFiles(folder: string, place: string): string[] {
  const mount = `/usr/bin/mount -t overlay overlay -o lowerdir="${folder}:${place}" ${place} && exec "$@"`;
  return ['--mount', '--map-root-user', '/bin/sh', '-c', mount, 'sh'];
}

function probe(texts: readonly string[]): object {
  const wanted = texts.length > 0 && { fail_if_body_not_matches_regexp: texts };
  return { prober: 'http', timeout: '5s', http: { preferred_ip_protocol: 'ip4', ...wanted } };
}

const RULES = {
  groups: [{ name: 'page', interval: '1s', rules: [{ alert: 'Outage', expr: 'probe_success == 0' }] }],
};

function scraping(addresses: readonly string[], probes: string, router: string): object {
  const job = (module: string, targets: readonly string[]): object => ({
    job_name: module,
    metrics_path: '/probe',
    params: { module: [module] },
    static_configs: [{ targets }],
    relabel_configs: [
      { source_labels: ['__address__'], target_label: '__param_target' },
      { source_labels: ['__param_target'], target_label: 'instance' },
      { target_label: '__address__', replacement: probes },
    ],
  });
  const states = addresses.filter((address) => address.endsWith('/status'));
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [router] }] }] },
    scrape_configs: [
      job('operational', states),
      job(
        'whole',
        addresses.filter((address) => !states.includes(address)),
      ),
    ],
  };
}

function routing(receiverPort: number): object {
  return {
    route: { receiver: 'bus', group_wait: '0s', group_interval: '1s', repeat_interval: '4h' },
    receivers: [{ name: 'bus', webhook_configs: [{ url: `http://127.0.0.1:${receiverPort}/` }] }],
  };
}
