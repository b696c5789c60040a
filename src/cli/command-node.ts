/** A command as plain values: what completion and the manual page are made of. */

export interface CommandNode {
  /** One word, as it is typed. */
  readonly name: string;
  readonly summary: string;
  /** Whole sentences; empty where the summary says it all. */
  readonly description: string;
  readonly words: readonly WordNode[];
  /** Those of its own: `--config` and `--help` hold everywhere. */
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
  /** What stands for its value; null where it has none. */
  readonly placeholder: string | null;
  readonly summary: string;
  /** All that may be written as its value; empty for anything. */
  readonly choices: readonly string[];
}

/** What may stand with every command. */
export const EVERYWHERE: readonly OptionNode[] = [
  { name: '--config', placeholder: 'FILE', summary: 'the configuration', choices: [] },
  { name: '--help', placeholder: null, summary: 'explain this command', choices: [] },
];

/** `name` is what it is typed as, without the words before it. */
export function emptyNode(name: string, summary: string): CommandNode {
  return { name, summary, description: '', words: [], options: [], examples: [], commands: [] };
}
