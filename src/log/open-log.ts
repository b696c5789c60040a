/**
 * Opens the log. pino writes the lines, `cleanFields` sanitises them, and the destination sets the format: text for a
 * terminal, sentences for the journal, JSON for programs.
 */
import { pino, symbols } from 'pino';
import { cleanFields } from './clean-fields.ts';
import { hideCredentials, type ErrorDescription } from './error.ts';
import { encodeJournalEntry, formatJournalText } from './journal.ts';
import { LEVELS, type Fields, type Level, type Log, type LogFormat, type Say } from './log.ts';

/** The output stream (stderr), as `main.ts` describes it. */
export interface LogOutput {
  readonly isTerminal: boolean;
  /** True for colours and spinners: a terminal, without NO_COLOR. */
  readonly colour: boolean;
  /** True if systemd's journal reads this stream: each line then starts with its priority. */
  readonly isJournal: boolean;
  /** Sends an entry to the journal. Returns false if it was rejected. */
  readonly journal?: ((entry: Buffer) => boolean) | null;
  write(text: string): void;
}

export interface LogSettings {
  readonly level: Level;
  readonly format: LogFormat;
  /** Hides known secrets in a text. */
  redact(text: string): string;
}

export interface OpenLog extends Log {
  /** Changes level and secrets on a reload. The format stays. */
  reconfigure(settings: Omit<LogSettings, 'format'>): void;
}

/** Syslog priorities that the journal reads at the start of a line: sd-daemon(3). */
const PRIORITIES: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/** Loads pino-pretty only if the format needs it. */
export async function openLog(output: LogOutput, settings: LogSettings, clock: { now(): number }): Promise<OpenLog> {
  const { isJournal } = output;
  const isAuto = settings.format === 'auto';
  const write =
    isAuto && isJournal
      ? (line: string, priority: number) => writeToJournal(output, line, priority)
      : await lineWriter(output, settings.format === 'pretty' || (isAuto && output.isTerminal));
  const destination = {
    // With this symbol pino stores the level of each line here.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string): void {
      write(line, PRIORITIES[pino.levels.labels[this.lastLevel] ?? 'info'] ?? 6);
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
  const isForPeople = settings.format !== 'json' && (isJournal || settings.format === 'pretty' || output.isTerminal);
  const current: LogState = { level: settings.level, redact: (text) => settings.redact(text), isForPeople };
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
  /** If true, the sentence replaces the message, which is kept as `event`. */
  readonly isForPeople: boolean;
}

function logWith(writer: pino.Logger, state: LogState, context: Fields): Log {
  function write(level: Level, message: string, fields: Fields, say: Say | undefined): void {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(state.level)) return;
    const isSaid = say !== undefined && state.isForPeople;
    const all = isSaid ? { event: message, ...context, ...fields } : { ...context, ...fields };
    const sentence = hideCredentials(state.redact(isSaid ? say() : message));
    writer[level](cleanFields(all, state.redact), sentence);
  }
  return {
    debug: (message, fields = {}, say) => write('debug', message, fields, say),
    info: (message, fields = {}, say) => write('info', message, fields, say),
    warn: (message, fields = {}, say) => write('warn', message, fields, say),
    error: (message, fields = {}, say) => write('error', message, fields, say),
    child: (fields) => logWith(writer, state, { ...context, ...fields }),
  };
}

type WriteLine = (line: string, priority: number) => void;

async function lineWriter(output: LogOutput, asText: boolean): Promise<WriteLine> {
  const look = asText ? await textLook(output.colour) : (line: string) => line;
  return (line, priority) => output.write(output.isJournal ? withPriority(look(line), priority) : look(line));
}

/** Sends the line as a journal entry, or writes it as text. */
function writeToJournal({ journal, write }: LogOutput, line: string, priority: number): void {
  // The journal adds time and level itself.
  const { level: _, time: __, msg, ...fields } = JSON.parse(line, shortError) as Record<string, unknown>;
  const said = String(msg);
  const entry = { sentence: said.charAt(0).toUpperCase() + said.slice(1), priority, fields };
  if (journal?.(encodeJournalEntry(entry)) !== true) write(withPriority(`${formatJournalText(entry)}\n`, priority));
}

/** Local time, one line, fields after the message. Formats in this process, so that a crash loses no line. */
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

/** The error as one phrase with the first frame of its stack. JSON lines have the rest. */
function shortError(this: unknown, key: string, value: unknown): unknown {
  if (key !== 'error' || typeof value !== 'object' || value === null || !('message' in value)) return value;
  const { name, message, code, stack } = value as Partial<ErrorDescription>;
  const place = stack?.split('\n').find((line) => /^\s+at /.test(line));
  return `${name}: ${message}${code === undefined ? '' : ` (${code})`}${place === undefined ? '' : ` ${place.trim()}`}`;
}

/** Repeats the priority on every line of a multi-line text such as a stack. */
function withPriority(text: string, priority: number): string {
  return text.replace(/^(?=.)/gm, `<${priority}>`);
}
