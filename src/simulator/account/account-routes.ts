/** Routes of the account interface: credentials and error responses. */
import type { Hono } from 'hono';
import { accountCatalogue, type AccountCatalogue } from '../../provider/catalogue/account-catalogue.ts';
import type { Operation } from '../../provider/operation.ts';
import type { Bindings, Answering } from '../simulated-exchange.ts';
import type { RequestInput } from '../request-input.ts';
import { createReply, type Answers, type ApiCall, type RawReply } from '../simulated-reply.ts';
import { addRoutes, toHonoPath } from '../routes.ts';
import { SimulatorError } from '../simulator-error.ts';
import type { Accounts, AccountWorld } from './account-world.ts';
import { refuseUnknownRoute, refuseUnauthenticated, refuseInput, refuseVerb } from './refusal.ts';
import { createCallAnswers } from './answers/call-answers.ts';
import { createExtensionAnswers } from './answers/extension-answers.ts';
import { createNumberAnswers } from './answers/number-answers.ts';
import { createPhonebookAnswers } from './answers/phonebook-answers.ts';
import { createRegistrationAnswers } from './answers/registration-answers.ts';
import { createSkillsetAnswers } from './answers/skillset-answers.ts';
import { createToggleAnswers } from './answers/toggle-answers.ts';
import { createVoicemailAnswers } from './answers/voicemail-answers.ts';
import type { WorldOf } from './answers/world-of.ts';

/** 0.1 s of silence as WAV (RIFF, PCM, 8 kHz, 8 bit, mono). */
const SAMPLE_RATE = 8000;

interface AccountRouteOptions {
  app: Hono<Bindings>;
  exchange: Answering;
  accounts: Accounts;
}

/** Below these paths even unknown ones are answered in JSON. */
export const ACCOUNT_PATH = /^\/api\/v1\/(?:pbx|billing|order-numbers)(?:\/|$)/;

/** 401 without a valid token, 405 for a wrong verb, 422 for invalid input. */
export function addAccountRoutes({ app, exchange, accounts }: AccountRouteOptions): void {
  function worldOf(call: ApiCall): AccountWorld {
    const account = accounts.byToken(call.token);
    if (account === null) throw new SimulatorError('A request without a good token has come past the door.');
    return account.world;
  }

  function admit(_operation: Operation, call: ApiCall): RawReply | null {
    const account = accounts.byToken(call.token);
    return account === null ? refuseUnauthenticated() : null;
  }

  addRoutes(accountCatalogue, accountAnswers(worldOf), { app, exchange, admit, refuse });
  app.get('/media/:kind/:file', (context) =>
    exchange(context, null, () => Promise.resolve(createReply(200, silence(), { 'content-type': 'audio/wav' }))),
  );
  for (const [path, operations] of Map.groupBy(Object.values<Operation>(accountCatalogue), ({ path }) => path)) {
    const verbs = operations.flatMap((operation) => operation.verbs);
    app.all(toHonoPath(path), (context) =>
      exchange(context, null, ({ url }) => Promise.resolve(refuseVerb(context.req.method, url.pathname, verbs))),
    );
  }
}

/** A non-numeric id in the path is an unknown path; other errors are reported by field. */
function refuse(operation: Operation, { errors }: RequestInput, { url }: ApiCall): RawReply | null {
  const [field] = Object.keys(errors);
  if (field === undefined) return null;
  const param = Object.hasOwn(operation.params.shape, field) ? operation.params.shape[field] : undefined;
  return param?.def.type === 'number' ? refuseUnknownRoute(url.pathname) : refuseInput(errors);
}

function accountAnswers(worldOf: WorldOf): Answers<AccountCatalogue> {
  return {
    ...createCallAnswers(worldOf),
    ...createExtensionAnswers(worldOf),
    ...createNumberAnswers(worldOf),
    ...createPhonebookAnswers(worldOf),
    ...createRegistrationAnswers(worldOf),
    ...createSkillsetAnswers(worldOf),
    ...createToggleAnswers(worldOf),
    ...createVoicemailAnswers(worldOf),
  };
}

const SAMPLES = SAMPLE_RATE / 10;

function silence(): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(44 + SAMPLES, 0x80);
  file.write('RIFF', 0, 'ascii');
  file.writeUInt32LE(36 + SAMPLES, 4);
  file.write('WAVEfmt ', 8, 'ascii');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'ascii');
  file.writeUInt32LE(SAMPLES, 40);
  return new Uint8Array(file);
}
