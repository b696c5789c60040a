/** The manual page `linewatch.yaml(5)`, generated from the configuration's schema. */
import { listConfigKeys, type ConfigKey } from '../../config/key-list.ts';
import { escapeRoff, formatSection, type ManPageFrame } from './man-page.ts';

/** In roff, with the macros of man(7). */
export function formatConfigManPage({ version, date }: ManPageFrame): string {
  const lines = [
    `.TH LINEWATCH.YAML 5 "${date}" "linewatch ${version}" "File Formats"`,
    formatSection('NAME'),
    'linewatch.yaml \\- configuration of linewatch',
    formatSection('DESCRIPTION'),
    escapeRoff(
      'The configuration is YAML. It is found at --config, else at $LINEWATCH_CONFIG, else at ./linewatch.yaml, else at ' +
        '/etc/linewatch/linewatch.yaml. Unknown keys are errors, and `linewatch config check` names each mistake with its ' +
        'line. Durations are written 500ms, 30s, 5m, 2h or 1d.',
    ),
    '.PP',
    escapeRoff(
      'A value may hold ${env:NAME}, ${file:PATH} or ${credential:NAME}, a file in $CREDENTIALS_DIRECTORY, else in ' +
        'credentials_dir. Secrets belong there and not into this file.',
    ),
    formatSection('KEYS'),
    escapeRoff('NAME stands for a name of your own, and [] for each entry of a list.'),
    ...listConfigKeys().flatMap(keyLines),
    formatSection('SEE ALSO'),
    '.BR linewatch (1)',
  ];
  return `${lines.join('\n')}\n`;
}

function keyLines(key: ConfigKey): string[] {
  const { path, type, required, meaning, choices, example } = key;
  const notes = [
    ...(choices.length === 0 || meaning.startsWith('One of ') ? [] : [`One of ${choices.join(', ')}.`]),
    ...(key.default === null ? [] : [`Default ${key.default}.`]),
    ...(example === null ? [] : [`For example ${example}`]),
  ];
  const text = escapeRoff([meaning, ...notes].filter((one) => one !== '').join(' '));
  return [
    '.TP',
    `\\fB${escapeRoff(path)}\\fR (${type}${required ? ', required' : ''})`,
    ...(text === '' ? [] : [text]),
  ];
}
