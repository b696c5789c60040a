/** Summary of `config init`: what was done, what is missing, and the next commands. */
import { relative } from 'node:path';
import { SYSTEM_FILE } from '../../config/load.ts';
import { hasReceivers, type TemplateAnswers } from '../../config/presets/template-answers.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import type { GivenSecret } from '../config/config-secrets.ts';
import type { Platform } from '../platform.ts';
import type { ConfigFiles } from './config-place.ts';

interface Done extends Pick<ConfigFiles, 'file' | 'place' | 'secrets' | 'owner'> {
  platform: Platform;
  wanted: TemplateAnswers;
}

/** Lines for people. */
export function describeNextSteps({ platform, file, place, wanted, secrets, owner }: Done): string[] {
  const named = (state: GivenSecret['state']): GivenSecret[] => secrets.filter((secret) => secret.state === state);
  const shown = ({ path }: GivenSecret): string => (place.isForUnit ? path : relative(platform.cwd, path));
  const given = named('given').map(shown);
  const isDefault = file === 'linewatch.yaml' || file === SYSTEM_FILE;
  const check = `linewatch config check${isDefault ? '' : ` --config ${file}`}`;
  if (wanted.page === null && wanted.account === null) {
    return [`Wrote ${file}. Fill in your own addresses, then: ${check}`];
  }
  const tellsPeople = hasReceivers(wanted);
  const instead = (command: string): string => check.replace('config check', command);
  const start = place.isForUnit ? 'systemctl enable --now linewatch' : instead('run');
  const next: [string, string][] = [
    [check, 'shows what would run'],
    tellsPeople
      ? [instead('notify test'), 'sends a sample to every receiver']
      : [instead('check'), 'shows the state of everything now'],
    [start, 'watches and notifies'],
  ];
  const isService = place.isForUnit && platform.user === 0;
  const isOthers = isService && owner === null;
  return [
    `Wrote ${[file, ...given].join(', ')}.`,
    ...named('kept').map((secret) => `${shown(secret)} was there already and is used as it is.`),
    ...named('missing').map(
      (secret) =>
        `Yet to be written: ${secret.what}. Paste it after: install -m 600 ${isService ? '-o linewatch ' : ''}/dev/stdin ${shown(secret)}`,
    ),
    ...(isOthers
      ? [
          'There is no user linewatch on this machine yet. Once there is: ' +
            `chown -R linewatch: ${place.credentials} && chgrp linewatch ${file} && chmod 640 ${file}`,
        ]
      : []),
    ...(tellsPeople ? [] : [`No receiver yet: the comments of ${file} show how to add one.`]),
    'Next:',
    ...columns(next),
  ];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = findMaximum(rows.map(([line]) => line.length));
  return rows.map(([line, meaning]) => `  ${line.padEnd(width)}  ${meaning}`);
}
