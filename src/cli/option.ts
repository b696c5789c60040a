/** Options of commands: how each is written, what it means, and the value it is read into. */
import { UsageError } from './errors.ts';

export interface Option<Value> {
  /** What stands for the value in `--help`; null for an option that is only there or not. */
  readonly placeholder: string | null;
  readonly summary: string;
  /** Gets everything written for this option, in order; throws `UsageError` saying what would be right. */
  read(texts: readonly string[]): Value;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;
export type OptionValues<Table extends OptionTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer Value> ? Value : never;
};

/** `--json` */
export function flag(summary: string): Option<boolean> {
  return { placeholder: null, summary, read: (texts) => texts.length > 0 };
}

/** `--output FILE` */
export function text(placeholder: string, summary: string): Option<string | undefined> {
  return { placeholder, summary, read: (texts) => texts.at(-1) };
}

/** `--matcher severity=critical --matcher source=hq`: as often as wanted. */
export function texts(placeholder: string, summary: string): Option<readonly string[]> {
  return { placeholder, summary, read: (all) => all };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** `--port 8080`, or undefined where it was not given. */
export function integer(placeholder: string, summary: string, range: Range): Option<number | undefined> {
  return { placeholder, summary, read: numberReader(/^-?\d+$/, 'a whole number', range) };
}

/** `--speed 0.5`, or undefined where it was not given. */
export function decimal(placeholder: string, summary: string, range: Range): Option<number | undefined> {
  return { placeholder, summary, read: numberReader(/^-?\d+(\.\d+)?$/, 'a number', range) };
}

function numberReader(form: RegExp, what: string, { min, max }: Range): Option<number | undefined>['read'] {
  return (all) => {
    const written = all.at(-1);
    if (written === undefined) return undefined;
    const value = form.test(written) ? Number(written) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(`wants ${what} from ${min} to ${max}, not '${written}'`);
  };
}

/** `--severity critical`: one of a few words. */
export function choice<const Word extends string>(
  placeholder: string,
  summary: string,
  words: readonly Word[],
): Option<Word | undefined> {
  return {
    placeholder,
    summary: `${summary} (${words.join(', ')})`,
    read: (all) => {
      const written = all.at(-1);
      if (written === undefined) return undefined;
      const word = words.find((candidate) => candidate === written);
      if (word !== undefined) return word;
      throw new UsageError(`wants one of ${words.join(', ')}, not '${written}'`);
    },
  };
}
