/**
 * The log itself: pino writes the lines, `cleanFields` decides what they may show, and the destination decides their
 * looks: text for a person at a terminal, JSON for programs, with priorities where systemd's journal reads.
 */
import { pino, symbols } from 'pino';
import { cleanFields } from './clean-fields.ts';
import { withoutCredentials, type ErrorDescription } from './error.ts';
import { LEVELS, type Fields, type Level, type Log, type LogFormat } from './log.ts';

/** Where lines go: stderr, as `main.ts` describes it. */
export interface LogOutput {
  readonly isTerminal: boolean;
  readonly colour: boolean;
  /** Whether systemd's journal reads this stream: each line then begins with its priority. */
  readonly isJournal: boolean;
  write(text: string): void;
}

export interface LogSettings {
  readonly level: Level;
  readonly format: LogFormat;
  /** Hides known secrets in a text. */
  redact(text: string): string;
}

export interface OpenLog extends Log {
  /** A reload may change the level and the secrets; the format stays what it was at the start. */
  reconfigure(settings: Omit<LogSettings, 'format'>): void;
}

/** Priorities of syslog, which the journal understands at the beginning of a line: sd-daemon(3). */
const PRIORITIES: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

export async function openLog(output: LogOutput, settings: LogSettings, clock: { now(): number }): Promise<OpenLog> {
  const asText = settings.format === 'pretty' || (settings.format === 'auto' && output.isTerminal && !output.isJournal);
  const look = asText ? await textLook(output.colour) : (line: string) => line;
  const journal = output.isJournal;
  const destination = {
    // pino leaves the level of each line here when asked to by this symbol.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string): void {
      const seen = look(line);
      output.write(journal ? withPriority(seen, PRIORITIES[pino.levels.labels[this.lastLevel] ?? 'info'] ?? 6) : seen);
    },
  };
  const writer = pino(
    {
      level: 'debug',
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {},
    },
    destination,
  );
  const current: LogState = { level: settings.level, redact: (text) => settings.redact(text) };
  return {
    ...logWith(writer, current, {}),
    reconfigure: (next) => {
      current.level = next.level;
      current.redact = (text) => next.redact(text);
    },
  };
}

interface LogState {
  level: Level;
  redact: (text: string) => string;
}

function logWith(writer: pino.Logger, state: LogState, context: Fields): Log {
  function write(level: Level, message: string, fields: Fields): void {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(state.level)) return;
    writer[level](cleanFields({ ...context, ...fields }, state.redact), withoutCredentials(state.redact(message)));
  }
  return {
    debug: (message, fields = {}) => write('debug', message, fields),
    info: (message, fields = {}) => write('info', message, fields),
    warn: (message, fields = {}) => write('warn', message, fields),
    error: (message, fields = {}) => write('error', message, fields),
    child: (fields) => logWith(writer, state, { ...context, ...fields }),
  };
}

/** A person reads: local time, one line, the fields behind the message. In this process: a crash loses no line. */
async function textLook(colour: boolean): Promise<(line: string) => string> {
  const { prettyFactory } = (await import('pino-pretty')).default;
  const pretty = prettyFactory({
    colorize: colour,
    translateTime: 'SYS:yyyy-mm-dd HH:MM:ss',
    singleLine: true,
    errorLikeObjectKeys: [],
  });
  return (line) => pretty(JSON.parse(line, shortError));
}

/** An error's description as one phrase, and the first place of its stack: the rest is for the JSON lines. */
function shortError(this: unknown, key: string, value: unknown): unknown {
  if (key !== 'error' || typeof value !== 'object' || value === null || !('message' in value)) return value;
  const { name, message, code, stack } = value as Partial<ErrorDescription>;
  const place = stack?.split('\n').find((line) => /^\s+at /.test(line));
  return `${name}: ${message}${code === undefined ? '' : ` (${code})`}${place === undefined ? '' : ` ${place.trim()}`}`;
}

/** A text of several lines (a stack) would otherwise lose its priority after the first. */
function withPriority(text: string, priority: number): string {
  return text.replace(/^(?=.)/gm, `<${priority}>`);
}
