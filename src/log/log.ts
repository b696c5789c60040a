/** One line an event. Messages are fixed sentences; what differs from one time to the next goes into the fields. */

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** `auto`: readable on a terminal, JSON lines otherwise. */
export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** An error goes under the name `error`: only its name, code, redacted message and places are written. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** A log that adds `fields` to every line. */
  child(fields: Fields): Log;
}
