/**
 * Postfix and Dovecot of this machine with a configuration, a queue and ports of their own. Nothing of the system's
 * mail is read, written or stopped; Postfix must be started as root to change to users of its own.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readErrorCode } from '../../src/net/failure.ts';
import { closedPort } from '../support/http-receiver.ts';
import { waitingRoom } from '../support/waiting-room.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/tls');
export const CERTIFICATE = join(FIXTURES, 'localhost.crt');
export const LOGIN = { username: 'ops', password: 'correct horse' } as const;

/** What is missing on this machine, in words; null when everything is there. */
export function missingForMail(): string | null {
  const absent = ['postfix', 'dovecot'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`], { env: PATHS }).status !== 0,
  );
  if (absent.length > 0) return `${absent.join(' and ')} not on this machine`;
  return process.getuid?.() === 0 ? null : 'Postfix can be started by root only';
}

const PATHS = { ...process.env, PATH: `/usr/sbin:/sbin:${process.env['PATH'] ?? '/usr/bin:/bin'}` };

export interface MailServers extends AsyncDisposable {
  smtpPort: number;
  /** Resolves with the mails of ops@example.test as they lie in the mailbox, once they are this many. */
  takes: (count: number) => Promise<string[]>;
  /** Says these commands to the IMAP server, one after the other, and resolves with everything it said. */
  imap: (commands: readonly string[]) => Promise<string>;
}

function idOf(name: string, flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
}

export async function startMailServers(): Promise<MailServers> {
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-mail-'));
  const [smtpPort, imapPort] = [await closedPort(), await closedPort()];
  const [nobody, nogroup] = [idOf('nobody', '-u'), idOf('nobody', '-g')];
  const mailbox = join(folder, 'mail/ops');
  const make = (path: string, owner = 0, group = 0): void => {
    mkdirSync(join(folder, path), { recursive: true, mode: 0o755 });
    chownSync(join(folder, path), owner, group);
  };
  spawnSync('chmod', ['755', folder]);
  for (const path of ['postfix', 'queue', 'dovecot', 'dovecot/run', 'dovecot/state']) make(path);
  make('data', idOf('postfix', '-u'));
  for (const path of ['mail', 'mail/ops', 'mail/ops/new', 'mail/ops/cur', 'mail/ops/tmp']) make(path, nobody, nogroup);
  writeFileSync(join(folder, 'postfix/main.cf'), mainCf(folder, nobody, nogroup));
  writeFileSync(join(folder, 'postfix/master.cf'), masterCf(smtpPort));
  writeFileSync(join(folder, 'dovecot/users'), `${LOGIN.username}:{PLAIN}${LOGIN.password}\n`);
  writeFileSync(join(folder, 'dovecot/dovecot.conf'), dovecotConf(folder, imapPort, nobody, nogroup));

  const room = waitingRoom();
  const watcher = watch(join(mailbox, 'new'), () => void look());
  let raw: string[] = [];
  async function look(): Promise<void> {
    const names = [
      ...(await readdir(join(mailbox, 'new'))).map((name) => `new/${name}`),
      ...(await readdir(join(mailbox, 'cur'))).map((name) => `cur/${name}`),
    ];
    const read = await Promise.all(names.map((name) => readIfThere(join(mailbox, name))));
    // Dovecot may have moved one on since it was listed: that is heard of, and looked at again.
    if (read.includes(null)) return;
    raw = read.flatMap((text) => text ?? []);
    room.look();
  }

  const servers: ChildProcess[] = [];
  /** Both write to a file: Postfix opens its standard output anew by name, which no socket allows. */
  async function start(command: string, args: string[], ready: RegExp): Promise<void> {
    const log = join(folder, `${command}.log`);
    const file = openSync(log, 'a');
    const begun = Promise.withResolvers<void>();
    const logWatcher = watch(log, () => {
      if (ready.test(readFileSync(log, 'utf8'))) begun.resolve();
    });
    const server = spawn(command, args, { stdio: ['ignore', file, file], env: PATHS });
    closeSync(file);
    servers.push(server);
    server.on('close', (code) => begun.reject(new Error(`${command} ended (${code}): ${readFileSync(log, 'utf8')}`)));
    await begun.promise.finally(() => logWatcher.close());
  }
  async function stop(): Promise<void> {
    watcher.close();
    room.close('the mail servers were stopped');
    // Its master process leaves the one that was started here; it is found by the queue, which is ours alone.
    spawnSync('postfix', ['-c', join(folder, 'postfix'), 'stop'], { env: PATHS, stdio: 'ignore' });
    await Promise.all(
      servers.map(async (server) => {
        if (server.exitCode !== null || server.signalCode !== null) return;
        const ended = new Promise((resolve) => server.once('close', resolve));
        server.kill('SIGTERM');
        await ended;
      }),
    );
    rmSync(folder, { recursive: true });
  }
  try {
    await start('dovecot', ['-F', '-c', join(folder, 'dovecot/dovecot.conf')], /starting up/);
    await start('postfix', ['-c', join(folder, 'postfix'), 'start-fg'], /daemon started/);
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    smtpPort,
    takes: (count) => room.until(`${count} mails in the mailbox`, () => (raw.length >= count ? raw : undefined)),
    async imap(commands) {
      const socket = connect(imapPort, '127.0.0.1');
      const all = [`LOGIN ${LOGIN.username} "${LOGIN.password}"`, ...commands, 'LOGOUT'];
      socket.write(all.map((command, index) => `a${index} ${command}\r\n`).join(''));
      return await text(socket);
    },
    [Symbol.asyncDispose]: stop,
  };
}

function mainCf(folder: string, uid: number, gid: number): string {
  return `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = /dev/stdout
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = localhost
mydestination =
mynetworks =
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = example.test
virtual_mailbox_maps = inline:{ops@example.test=ops/, later@example.test=later/}
virtual_mailbox_base = ${folder}/mail
virtual_minimum_uid = 1
virtual_uid_maps = static:${uid}
virtual_gid_maps = static:${gid}
smtpd_tls_security_level = encrypt
smtpd_tls_auth_only = yes
smtpd_tls_cert_file = ${CERTIFICATE}
smtpd_tls_key_file = ${join(FIXTURES, 'localhost.key')}
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${folder}/dovecot/auth
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_recipient_access inline:{later@example.test={450 4.2.1 The mailbox is busy}}, reject_unlisted_recipient
`;
}

/** Service, type, private, unprivileged, chroot, wake-up time, most processes, command. */
function masterCf(port: number): string {
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  return `${services.join('\n')}\n`;
}

function dovecotConf(folder: string, imapPort: number, uid: number, gid: number): string {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/dovecot/run
state_dir = ${folder}/dovecot/state
log_path = /dev/stderr
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%n
passdb {
  driver = passwd-file
  args = ${folder}/dovecot/users
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}/mail/%n
}
service imap-login {
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
service auth {
  unix_listener ${folder}/dovecot/auth {
    mode = 0666
  }
}
`;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
