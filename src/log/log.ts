/**
 * One line an event. Messages are fixed, so that programs find them; what differs from one time to the next goes into the
 * fields. Where the two make no sentence, `say` does: it is called only where a person reads.
 */

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** `auto`: readable on a terminal, sentences with fields in systemd's journal, JSON lines otherwise. */
export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** An error goes under the name `error`: only its name, code, redacted message and places are written. */
export type Fields = Readonly<Record<string, unknown>>;

/** The whole of it as a sentence without its full stop. */
export type Say = () => string;

export interface Log {
  debug(message: string, fields?: Fields, say?: Say): void;
  info(message: string, fields?: Fields, say?: Say): void;
  warn(message: string, fields?: Fields, say?: Say): void;
  error(message: string, fields?: Fields, say?: Say): void;
  /** A log that adds `fields` to every line. */
  child(fields: Fields): Log;
}
