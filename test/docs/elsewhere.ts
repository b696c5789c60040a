/**
 * Commands of the documents that cannot run in `npm test`, each with the reason and with the place that tries it. A row
 * that no document needs any more is an error, and so is a proof that is not where it is looked for.
 */
export interface Elsewhere {
  readonly command: RegExp;
  readonly why: string;
  /** A file from the root of the project, and what stands in it. */
  readonly proof: readonly [path: string, text: string];
}

const ROOT_AND_SYSTEMD = 'it needs root and systemd: a machine of its own in the tests of the system';
const PACKAGE_TEST = 'test/system/package.test.ts';
const PODMAN = 'it needs podman; the image and its command are tried, and these lines are those of the Containerfile';

export const ELSEWHERE: readonly Elsewhere[] = [
  {
    command: /^npm (ci|start)$/,
    why: 'it installs this checkout: tried on clean machines',
    proof: ['test/roots/two-commands.test.ts', "root.runUntil('npm start'"],
  },
  {
    command: /^npm test$/,
    why: 'this is it',
    proof: ['test/roots/two-commands.test.ts', '&& npm test'],
  },
  {
    command: /^npm run (lint|format|build|bench|docs|pictures)$/,
    why: 'it works on this checkout, which the tests use at the same time',
    proof: ['package.json', '"docs": '],
  },
  {
    command: /^npm run package( -- --arch arm64)?$/,
    why: 'a package takes minutes: the tests of the system make one in less',
    proof: ['src/build/package.ts', '--arch amd64|arm64'],
  },
  {
    command: /^sudo apt install \.\/dist\/linewatch_\*_amd64\.deb$/,
    why: ROOT_AND_SYSTEMD,
    proof: [PACKAGE_TEST, 'apt-get install -y -q ${packageOf(NOW)}'],
  },
  {
    command: /^apt install npm libatomic1$/,
    why: 'it needs root: tried on clean machines',
    proof: ['test/roots/two-commands.test.ts', "packages: [...DEBIAN, 'libatomic1']"],
  },
  {
    command: /^sudo apt remove linewatch$/,
    why: ROOT_AND_SYSTEMD,
    proof: [PACKAGE_TEST, 'apt-get remove -y -q linewatch'],
  },
  {
    command: /^sudo apt purge linewatch$/,
    why: ROOT_AND_SYSTEMD,
    proof: [PACKAGE_TEST, 'apt-get purge -y -q linewatch'],
  },
  {
    command: /^(sudo )?systemctl (start|stop|restart)( linewatch)?$/,
    why: ROOT_AND_SYSTEMD,
    proof: [PACKAGE_TEST, 'timeout 30 systemctl restart linewatch'],
  },
  {
    command: /^(sudo )?systemctl reload linewatch$/,
    why: ROOT_AND_SYSTEMD,
    proof: [PACKAGE_TEST, 'systemctl reload linewatch'],
  },
  {
    command: /^sudo systemctl (enable|disable) --now linewatch$/,
    why: ROOT_AND_SYSTEMD,
    proof: ['systemd/linewatch.service', 'WantedBy=multi-user.target'],
  },
  {
    command: /^(journalctl -u linewatch( .*)?|systemctl (status|show)( linewatch)?)$/,
    why: ROOT_AND_SYSTEMD,
    proof: [PACKAGE_TEST, 'journalctl -u linewatch -q'],
  },
  {
    command:
      /^sudo (chown -R linewatch: \/var\/lib\/linewatch \/etc\/linewatch\/credentials|chgrp linewatch \/etc\/linewatch\/linewatch\.yaml)$/,
    why: 'it needs root and the user that the package makes',
    proof: ['systemd/linewatch.sysusers', 'u linewatch'],
  },
  {
    command: /^sudo install -m 600 -o linewatch \/dev\/stdin \/etc\/linewatch\/credentials\/slack$/,
    why: 'it needs root and the user that the package makes; `config init` prints the same line',
    proof: ['src/cli/init/next-steps.ts', 'install -m 600 '],
  },
  { command: /^podman .*$/, why: PODMAN, proof: ['test/system/container.test.ts', 'Containerfile'] },
  {
    command: /^(linewatch state copy --to-(database|files)|pg_dump .*|createdb linewatch|pg_restore .*)$/,
    why: 'it needs a PostgreSQL: the tests of the system start one',
    proof: ['test/system/database.test.ts', "'pg_restore', '--no-owner', '--exit-on-error'"],
  },
];
