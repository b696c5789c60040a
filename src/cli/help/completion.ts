/** `linewatch completion`: prints a script with which a shell completes commands, options and their values. */
import { writeBashCompletion } from '../completion/bash.ts';
import { writeFishCompletion } from '../completion/fish.ts';
import { listPlaces, type CompletionPlace } from '../completion/places.ts';
import { listValues, VALUE_KINDS } from '../completion/values.ts';
import { writeZshCompletion } from '../completion/zsh.ts';
import { choice, defineCommand, EXIT, UsageError } from '../command.ts';
import { findReachableDaemon } from '../reach-daemon.ts';

export const SHELLS: Readonly<Record<string, (places: readonly CompletionPlace[]) => string>> = {
  bash: writeBashCompletion,
  zsh: writeZshCompletion,
  fish: writeFishCompletion,
};

export const completion = defineCommand({
  description:
    'Prints a script that teaches a shell to complete commands, options and their values, those of the account ' +
    'interface included; alerts, sources, receivers and silences come from the running daemon. The Debian package ' +
    'brings all three along.',
  words: [['[bash|zsh|fish]', 'the shell']],
  options: {
    values: choice('KIND', 'what the scripts ask for: print what a value may be, from the running daemon', VALUE_KINDS),
  },
  examples: [
    ['source <(linewatch completion bash)', 'in this shell; in ~/.bashrc in every one'],
    ['linewatch completion zsh > "${fpath[1]}/_linewatch"', 'in every zsh from now on'],
    ['linewatch completion fish > ~/.config/fish/completions/linewatch.fish', 'in every fish from now on'],
  ],
  async run({ platform, config, args, options, tree }) {
    if (options.values !== undefined) {
      const lines = await listValues(options.values, await findReachableDaemon(platform, config));
      for (const line of lines) platform.out.write(`${line}\n`);
      return EXIT.done;
    }
    const [shell = ''] = args;
    const script = SHELLS[shell];
    if (script === undefined) {
      throw new UsageError(`completion is there for ${Object.keys(SHELLS).join(', ')}, not for '${shell}'`);
    }
    platform.out.write(script(listPlaces(await tree())));
    return EXIT.done;
  },
});
