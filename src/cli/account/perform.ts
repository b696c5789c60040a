/** Performs one operation: reads input, asks for confirmation, sends the request, shows the result. */
import { toOneLine, formatCount } from '../../core/text/plain.ts';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { AccountClient } from '../../provider/account-client.ts';
import type { Oddity } from '../../provider/answer.ts';
import type { Operation } from '../../provider/operation.ts';
import { encodeRequest, type EncodedRequest } from '../../provider/request.ts';
import { CommandFailure, EXIT, UsageError } from '../command.ts';
import { measureTerminal, writeLines } from '../terminal-text.ts';
import type { Platform } from '../platform.ts';
import { chooseAccount, openAccount } from './chosen-account.ts';
import { openDestination, type Destination } from './destination.ts';
import { canAsk, confirm, createSecretReader, withProgress } from './dialogue.ts';
import { printRequest, printUnfinishedRequest } from './dry-run.ts';
import {
  retryByNumber,
  findExtension,
  readTarget,
  readTelephoneFacts,
  type FoundExtension,
  type RegistrationTarget,
} from './extension-number.ts';
import { explainFailure } from './provider-failure.ts';
import { readDates, readInput, type OperationInput } from './typed-input.ts';
import { readCurrentRecord, toFacts, formatConfirmation, type KnownFacts } from './confirmation.ts';
import { maskAnswer } from './masked-output.ts';
import { formatName, findSpecial } from './operations.ts';
import { showJson, showResult } from './result.ts';
import { hasFlag, findOptionValue, type ParsedOptions } from './parsed-options.ts';

interface Order {
  readonly operation: Operation;
  readonly ids: readonly string[];
  readonly written: ParsedOptions;
}

/** Shared by the steps of an operation. */
interface Work extends Order {
  readonly platform: Platform;
  readonly timezone: string;
  readonly account: AccountConfig;
  readonly input: OperationInput;
  /** The extension whose registration is deleted; null for other operations. */
  readonly target: RegistrationTarget | null;
  /** Null if an id must be looked up first. */
  readonly request: EncodedRequest | null;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Returns the exit code. `load` reads the configuration once the input is well-formed. */
export async function perform(platform: Platform, order: Order, load: () => Promise<Config>): Promise<number> {
  const { operation, written } = order;
  refuseContradictions(order);
  const target = findSpecial(operation) === null ? null : readTarget(written, order.ids);
  const isDry = hasFlag(written, 'dry_run');
  const name = findOptionValue(written, 'account');
  // Check for missing input first: it may reveal another operation.
  const typed = await inputOf(platform, order, target);
  if (operation.effect !== 'read' && !isDry && !hasFlag(written, 'yes') && !canAsk(platform)) {
    throw new UsageError(
      `account ${formatName(operation)} changes something and there is no terminal to ask on; --yes says that it is meant`,
    );
  }
  const config = await load();
  const input = readDates(operation, typed, config.timezone);
  const account = chooseAccount(config, name);
  const stop = new AbortController();
  const undo = (['SIGINT', 'SIGTERM'] as const).map((each) => platform.onSignal(each, () => stop.abort()));
  try {
    // Validate before any confirmation or lookup.
    const request = target?.kind === 'number' ? null : encodeRequest(operation, input);
    const work = {
      ...order,
      platform,
      timezone: config.timezone,
      account,
      input,
      target,
      request,
      signal: stop.signal,
    };
    if (!isDry) return await withClient(work);
    printDry(work);
    return EXIT.done;
  } catch (error) {
    throw explainFailure(operation, input, error);
  } finally {
    for (const forget of undo) forget();
  }
}

function refuseContradictions({ operation, written }: Order): void {
  const isFile = operation.resultKind !== 'json';
  if (isFile && hasFlag(written, 'json') && !hasFlag(written, 'dry_run')) {
    throw new UsageError(`account ${formatName(operation)} brings a file and no JSON; --output FILE says where to`);
  }
  if (findOptionValue(written, 'columns') !== undefined && (isFile || isJson(written))) {
    throw new UsageError('--columns is for tables: not with a file, --json or --output');
  }
}

/** Files get JSON. */
function isJson(written: ParsedOptions): boolean {
  return hasFlag(written, 'json') || findOptionValue(written, 'output') !== undefined;
}

async function inputOf(
  platform: Platform,
  { operation, ids, written }: Order,
  target: RegistrationTarget | null,
): Promise<OperationInput> {
  const typed = target?.kind === 'number' ? null : ids;
  return readInput(operation, typed, written, createSecretReader(platform));
}

function printDry({ platform, operation, written, account, target, request }: Work): void {
  const shown = { account, isJson: hasFlag(written, 'json'), showSecrets: hasFlag(written, 'show_secrets') };
  if (request !== null) printRequest(platform, request, shown);
  else if (target?.kind === 'number') printUnfinishedRequest(platform, operation, target.number, shown);
}

async function withClient(work: Work): Promise<number> {
  const client = openAccount(work.account, work.platform);
  try {
    const extension = work.target === null ? null : await lookUp(work, client, work.target);
    const input = extension === null ? work.input : { registration: extension.id };
    const isAsked = work.operation.effect !== 'read' && !hasFlag(work.written, 'yes');
    const found = isAsked ? await confirmWork({ ...work, input }, client, extension) : { ...work, input };
    if (found === null) {
      work.platform.err.write('Nothing was changed.\n');
      return EXIT.failed;
    }
    const destination = await openDestination(work.platform, findOptionValue(work.written, 'output'));
    try {
      await send(found, found.request ?? encodeRequest(work.operation, found.input), client, destination);
      await destination.finish();
    } finally {
      await destination.abandon();
    }
    return EXIT.done;
  } finally {
    client.close();
  }
}

function lookUp(
  { platform, signal }: Work,
  client: AccountClient,
  target: RegistrationTarget,
): Promise<FoundExtension> {
  return withProgress(platform.err, 'Looking the extension up', () => findExtension(client, target, signal));
}

/** The confirmed work with a looked-up id; null if declined. */
async function confirmWork(work: Work, client: AccountClient, extension: FoundExtension | null): Promise<Work | null> {
  try {
    return (await isMeant(work, client, extension)) ? work : null;
  } catch (error) {
    const { operation, platform, signal } = work;
    const numbered = await retryByNumber(client, operation, work.input, error, signal);
    if (numbered === null) throw error;
    platform.err.write(`${numbered.remark}\n`);
    const { input } = numbered;
    const found = { ...work, input, request: encodeRequest(operation, input) };
    return (await isMeant(found, client, extension)) ? found : null;
  }
}

async function isMeant(work: Work, client: AccountClient, extension: FoundExtension | null): Promise<boolean> {
  const { platform, operation, account, input, written, timezone, signal } = work;
  const { err } = platform;
  let record: OperationInput | null = null;
  const facts = await withProgress<KnownFacts>(err, 'Looking at what is there now', async () => {
    if (extension !== null) return readTelephoneFacts(client, extension, signal);
    record = await readCurrentRecord(client, operation, input, signal);
    return toFacts(record, { timezone });
  });
  const intention = { operation, account, input, record, facts, showSecrets: hasFlag(written, 'show_secrets') };
  err.write(`${formatConfirmation(intention, { timezone }, err.columns).join('\n')}\n`);
  return confirm(platform, 'Go ahead?', signal);
}

async function send(
  work: Work,
  request: EncodedRequest,
  client: AccountClient,
  destination: Destination,
): Promise<void> {
  const { operation, platform, input, signal } = work;
  await withProgress(platform.err, operation.summary, async (progress) => {
    if (operation.resultKind === 'json') {
      try {
        return await client.send(request, { signal });
      } catch (error) {
        const isDeleted = operation.verbs[0] === 'DELETE';
        const numbered = isDeleted ? null : await retryByNumber(client, operation, input, error, signal);
        if (numbered === null) throw error;
        platform.err.write(`${numbered.remark}\n`);
        return await client.send(encodeRequest(operation, numbered.input), { signal });
      }
    }
    let bytes = 0;
    const write = async (chunk: Uint8Array): Promise<void> => {
      bytes += chunk.byteLength;
      progress.say(`${operation.summary}: ${bytes} bytes`);
      await destination.write(chunk);
    };
    await client.send(request, { signal, write });
    if (destination.file !== null) platform.err.write(`${destination.file}: ${formatCount(bytes, 'byte')}\n`);
    return null;
  }).then(async (read) => {
    if (read !== null) await show(work, read.answer, read.oddities, destination);
  });
}

async function show(
  { operation, platform, written, timezone }: Work,
  answer: unknown,
  oddities: readonly Oddity[],
  destination: Destination,
): Promise<void> {
  const { out, err } = platform;
  const visible = hasFlag(written, 'show_secrets') ? answer : maskAnswer(operation, answer);
  if (isJson(written)) {
    await destination.write(showJson(visible));
  } else {
    // Pipes have no width: their readers want the full text.
    const page = { width: measureTerminal(out), colour: out.colour, timezone };
    const { text, hint } = showResult(operation, visible, findOptionValue(written, 'columns'), page);
    await destination.print(text);
    if (hint !== null && err.isTerminal) writeLines(err, [hint]);
  }
  if (oddities.length > 0) {
    const some = oddities
      .slice(0, 3)
      .map(({ text }) => toOneLine(text))
      .join('; ');
    err.write(`linewatch: the answer is not as documented in ${formatCount(oddities.length, 'place')}: ${some}\n`);
  }
  refuseNo(operation, answer);
}

/** Deleting a registration may answer `{result: false}` with 200, which is a failure. */
function refuseNo(operation: Operation, answer: unknown): void {
  if (operation.effect === 'read' || typeof answer !== 'object' || answer === null) return;
  if ('result' in answer && answer.result === false) {
    throw new CommandFailure(`account ${formatName(operation)}: the provider says that it was not done`);
  }
}
