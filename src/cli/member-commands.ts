/** `linewatch member`: lists members that share the database, and forgets one that is gone. */
import { defineCommand, EXIT, flag } from './command.ts';
import { findReachableDaemon } from './reach-daemon.ts';
import { formatShards, formatMembers } from './status/status-text.ts';
import { toTerminalJson, writeLines } from './terminal-text.ts';

export const memberList = defineCommand({
  description:
    'Lists the members that share the database, as the running daemon knows them: what each leads, when it was last ' +
    'heard of, and how much of every limit of requests it uses.',
  options: { json: flag('for programs') },
  examples: [['linewatch member list', 'who takes part']],
  async run({ platform, config: file, options }) {
    const { ask } = await findReachableDaemon(platform, file);
    const report = await ask('status', {});
    const { members } = report;
    const lines = [...formatMembers(members), ...formatShards(report)].map((line) => line.trimStart());
    if (options.json) platform.out.write(`${toTerminalJson(members ?? null)}\n`);
    else writeLines(platform.out, lines, 'The state is in files: there are no members.');
    return EXIT.done;
  },
});

export const memberForget = defineCommand({
  description:
    'Forgets a member that is gone for good: the others use all of the limits of requests again. One that takes part is ' +
    'refused, and one that comes back is known again. A member that is not seen for a week is forgotten by itself.',
  words: [['<NAME>', 'the member, as `member list` shows it']],
  options: {},
  examples: [['linewatch member forget old-host', 'the machine was taken out of service']],
  async run({ platform, config: file, args }) {
    const { ask } = await findReachableDaemon(platform, file);
    const [name = ''] = args;
    await ask('member.forget', { name });
    platform.out.write(`${name} is forgotten.\n`);
    return EXIT.done;
  },
});
