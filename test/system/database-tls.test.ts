/** The way to a real PostgreSQL over TLS: only to the one whose certificate our authority has signed for its name. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, statSync, chownSync, chmodSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/postgres/connection.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const whyNot =
  whyNoPostgres ?? (spawnSync('openssl', ['version']).error === undefined ? null : 'openssl is not on this machine');
const PASSWORD = 'hush-7f3a9c';

describe.skipIf(whyNot !== null)(`TLS to PostgreSQL${whyNot === null ? '' : ` (skipped: ${whyNot})`}`, () => {
  let postgres: RealPostgres;
  let folder: string;
  const [ours, theirs] = ['ours.pem', 'theirs.pem'];

  beforeAll(async () => {
    postgres = await startPostgres();
    folder = mkdtempSync(join(tmpdir(), 'linewatch-tls-'));
    for (const authority of ['ours', 'theirs']) makeAuthority(folder, authority);
    makeCertificate(folder, 'ours', 'localhost');
    postgres.sql(`create role watcher login password '${PASSWORD}'; grant create on schema public to watcher`);
  });

  afterAll(async () => {
    await postgres[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** From now on it shows this certificate. */
  function encrypts(): void {
    const data = postgres.sql('show data_directory');
    const { uid, gid } = statSync(data);
    for (const file of ['server.crt', 'server.key']) {
      copyFileSync(join(folder, file), join(data, file));
      chownSync(join(data, file), uid, gid);
      chmodSync(join(data, file), 0o600);
    }
    postgres.sql('alter system set ssl = on');
    postgres.sql('select pg_reload_conf()');
  }

  const urlOf = (host: string, rest: string): string =>
    `postgres://watcher:${PASSWORD}@${host}:${postgres.port}/postgres?${rest}`;

  /** How the connection is, or why there is none. */
  async function connected(url: string): Promise<unknown> {
    const database = await openDatabase({ url, timeoutMs: 5_000 });
    try {
      const [row] = await database.ask<{ ssl: boolean }>(
        'ask',
        'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      );
      return row?.ssl;
    } catch (error) {
      // The whole of it, with whatever caused it.
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(PASSWORD);
      return error instanceof Error ? error.message : error;
    } finally {
      await database.close();
    }
  }

  it('is refused by one that offers none', async () => {
    expect(await connected(urlOf('localhost', `sslmode=verify-full&sslrootcert=${join(folder, ours)}`))).toBe(
      `Cannot ask the database postgres at localhost:${postgres.port}: it offers no encrypted connections.`,
    );
  });

  it('is made to the one whose certificate is of our authority and for its name, and to no other', async () => {
    encrypts();
    const place = (host: string): string => `Cannot ask the database postgres at ${host}:${postgres.port}`;
    const full = `sslmode=verify-full&sslrootcert=${folder}`;
    await expect.poll(() => connected(urlOf('localhost', `${full}/${ours}`))).toBe(true);
    expect(await connected(urlOf('127.0.0.1', `${full}/${ours}`))).toBe(
      `${place('127.0.0.1')}: its certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID).`,
    );
    expect(await connected(urlOf('localhost', `${full}/${theirs}`))).toMatch(
      /: its certificate is not signed by an authority known here \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\.$/,
    );
    expect(await connected(urlOf('localhost', 'sslmode=verify-full'))).toMatch(
      /: its certificate is not signed by an authority known here \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\.$/,
    );
    expect(await connected(urlOf('localhost', `${full}/nothing.pem`))).toBe(
      `${place('localhost')}: ${folder}/nothing.pem, which its address names, cannot be read: there is no such file or directory (ENOENT).`,
    );
  });

  it('is what `config check` tries, and its words hold no secret', async () => {
    const file = join(folder, 'linewatch.yaml');
    const url = urlOf('127.0.0.1', `sslmode=verify-full&sslrootcert=${join(folder, ours)}`);
    writeFileSync(
      file,
      `instance: hq
status_pages: [{name: provider, base_url: "http://127.0.0.1:1"}]
receivers: [{name: bus, type: webhook, url: "http://127.0.0.1:1/"}]
route: {receivers: [bus]}
database: {url: ${JSON.stringify(url)}}
`,
      { mode: 0o600 },
    );
    const { out, err } = await startLinewatch(['config', 'check', '--config', file], { cwd: folder }).ended;
    expect(out + err).toContain('its certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)');
    expect(out + err).not.toContain(PASSWORD);
  });
});

function openssl(folder: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function makeAuthority(folder: string, name: string): void {
  const subject = ['-subj', `/CN=Authority ${name}`, '-days', '2'];
  openssl(folder, 'req', '-x509', ...KEY, '-keyout', `${name}.key`, '-out', `${name}.pem`, ...subject);
}

function makeCertificate(folder: string, authority: string, host: string): void {
  openssl(folder, 'req', ...KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${host}`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}\n`);
  const by = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-extfile', 'names'];
  openssl(folder, 'x509', '-req', '-in', 'server.csr', ...by, '-days', '2', '-out', 'server.crt');
}
