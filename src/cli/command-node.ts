/** A command as plain data, for completion and the manual page. */

export interface CommandNode {
  /** One word, as typed. */
  readonly name: string;
  readonly summary: string;
  /** Full sentences; empty if the summary suffices. */
  readonly description: string;
  readonly words: readonly WordNode[];
  /** Its own options: `--config` and `--help` exist everywhere. */
  readonly options: readonly OptionNode[];
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  readonly commands: readonly CommandNode[];
}

export interface WordNode {
  /** `<required>`, `[optional]`, `[any-number...]` */
  readonly written: string;
  readonly meaning: string;
}

export interface OptionNode {
  /** `--dry-run` */
  readonly name: string;
  /** Placeholder of its value; null without one. */
  readonly placeholder: string | null;
  readonly summary: string;
  /** All allowed values; empty for any. */
  readonly choices: readonly string[];
}

/** Options of every command. */
export const EVERYWHERE: readonly OptionNode[] = [
  { name: '--config', placeholder: 'FILE', summary: 'the configuration', choices: [] },
  { name: '--help', placeholder: null, summary: 'explain this command', choices: [] },
];

/** `name` is typed after the words of the parent commands. */
export function createNode(name: string, summary: string): CommandNode {
  return { name, summary, description: '', words: [], options: [], examples: [], commands: [] };
}
