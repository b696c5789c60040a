/** `linewatch calls`: list callers missed while phones were lost, and erase a number everywhere. */
import { readDisplayName } from '../../config/config.ts';
import { formatCsv } from '../../core/text/csv.ts';
import { parseDuration } from '../../core/text/duration.ts';
import { formatCount } from '../../core/text/plain.ts';
import { CALLER_HEADINGS, toCallerRows } from '../../core/view/standing/calls-view.ts';
import { readAlertNumber } from './alert-commands.ts';
import { formatCallerLines } from './caller-lines.ts';
import { CommandFailure, defineCommand, EXIT, flag, text, UsageError } from '../command.ts';
import { findReachableDaemon } from '../reach-daemon.ts';
import { toTerminalJson, writeLines } from '../terminal-text.ts';

const USUAL_SINCE = '2h';

export const callsMissed = defineCommand({
  description:
    'Lists callers who were not answered: of an alert of lost phones, or since a time, outage or not. Callers who were ' +
    'answered later are left out; who was called back, or left a message, is marked. It asks the running daemon, which ' +
    'reads the calls of accounts with calls.missed.',
  options: {
    alert: text('NUMBER', 'callers of this alert'),
    since: text('DURATION', `callers of the last hours or days; default: ${USUAL_SINCE}`),
    csv: flag('for a spreadsheet'),
    json: flag('for programs'),
  },
  examples: [
    ['linewatch calls missed --alert 12', 'who tried to call during alert #12'],
    ['linewatch calls missed --since 2h --csv', 'every missed caller of the last two hours, for a spreadsheet'],
  ],
  async run({ platform, config: file, options }) {
    if (options.alert !== undefined && options.since !== undefined) {
      throw new UsageError('give --alert or --since, not both');
    }
    if (options.csv && options.json) throw new UsageError('give --csv or --json, not both');
    const alert = options.alert === undefined ? null : readAlertNumber(options.alert);
    const length = parseDuration(options.since ?? USUAL_SINCE);
    if (length === null) {
      throw new UsageError(`--since wants a duration such as 30m, 2h or 1d, not '${options.since ?? ''}'`);
    }
    const { config, reader, ask } = await findReachableDaemon(platform, file);
    const called = (source: string): string => {
      const account = config?.accounts.find(({ name }) => name === source);
      return account === undefined ? source : readDisplayName(account);
    };
    const since = alert === null ? platform.clock.now() - length : null;
    const reports = await ask('calls.missed', { alert, since });
    if (reports.length === 0 && alert !== null) {
      throw new CommandFailure(`There is no alert #${alert} of lost phones or a switch whose calls are watched.`);
    }
    if (options.json) platform.out.write(`${toTerminalJson(reports)}\n`);
    else if (options.csv) {
      const rows = reports.flatMap((report) => toCallerRows(report, called(report.source)));
      platform.out.write(formatCsv([CALLER_HEADINGS, ...rows]));
    } else {
      const lines = reports.flatMap((report) => formatCallerLines(report, called(report.source), reader));
      writeLines(platform.out, lines, 'No account’s calls are watched.');
    }
    return EXIT.done;
  },
});

export const callsForget = defineCommand({
  description:
    'Erases one telephone number in everything that is kept of calls: reports, charges, messages that wait. Calls until ' +
    'now do not come back when the reports are read again; later ones do.',
  words: [['<NUMBER>', 'the number, in any form']],
  options: { json: flag('for programs') },
  examples: [['linewatch calls forget 0491570156', 'erases this number']],
  async run({ platform, config: file, args, options }) {
    const { ask } = await findReachableDaemon(platform, file);
    const answer = await ask('calls.forget', { number: args[0] ?? '' });
    const line = `Erased in ${formatCount(answer.erased, 'row')}.`;
    platform.out.write(`${options.json ? toTerminalJson(answer) : line}\n`);
    return EXIT.done;
  },
});
