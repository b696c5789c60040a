/**
 * One line per event. Messages are static, so that programs can search for them; variable data goes into fields. If the
 * two make no sentence, `say` supplies one. It is called only for output to people.
 */

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** `auto`: text on a terminal, sentences with fields in the journal, JSON lines elsewhere. */
export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** An error goes under the key `error`; only its name, code, redacted message and frames are written. */
export type Fields = Readonly<Record<string, unknown>>;

/** The line as a sentence without its full stop. */
export type Say = () => string;

export interface Log {
  debug(message: string, fields?: Fields, say?: Say): void;
  info(message: string, fields?: Fields, say?: Say): void;
  warn(message: string, fields?: Fields, say?: Say): void;
  error(message: string, fields?: Fields, say?: Say): void;
  /** Returns a log that adds `fields` to every line. */
  child(fields: Fields): Log;
}
