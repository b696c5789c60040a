/** The provider's accounts, each a separate world behind its own token. */
import type { SimulatorClock } from '../simulator-clock.ts';
import { SimulatorError } from '../simulator-error.ts';
import { createRandom, type Random } from '../random.ts';
import { createCallBook, type SimulatedCalls, type CallLateness, type CallStory } from './call-book.ts';
import { createExtensionBook, seedExtensions } from './extension-book.ts';
import { createNumberStock } from './number-stock.ts';
import { createPhonebooks, ITEM_NUMBERS, seedPhonebooks } from './phonebooks.ts';
import { createPhoneBook } from './registered-phones.ts';
import { createSites, type Site } from './random-values.ts';
import { seedCalls, seedPhones, type PhoneShares } from './seed.ts';
import { seedSkillsets } from './agent-skillsets.ts';
import { createToggleBook } from './toggle-book.ts';
import { createMessageBook, createVoicemailExtensionBook } from './voicemail-book.ts';

const MOST_EXTENSIONS = 10_000;

export interface AccountOptions extends Omit<AccountWorldOptions, 'clock' | 'seed'> {
  /** Used by scenarios and the control plane. Default `account-1`, `account-2` and so on. */
  name?: string | undefined;
  /** The bearer token. Default `simulated-token-1` and so on. */
  token?: string | undefined;
  seed?: number | undefined;
}

export interface SimulatedAccount {
  name: string;
  /** Null while all tokens are refused. */
  token: string | null;
  world: AccountWorld;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** Seed and order determine the accounts. Throws `SimulatorError` for a duplicate name or token. */
export function createAccounts(clock: Pick<SimulatorClock, 'now'>, seed: number) {
  const accounts: SimulatedAccount[] = [];
  return {
    all: (): readonly SimulatedAccount[] => accounts,
    /** Without a name, the first account. Throws `SimulatorError` if there is none. */
    account(name?: string) {
      const found = name === undefined ? accounts[0] : accounts.find((account) => account.name === name);
      if (found !== undefined) return found;
      const names = accounts.map((account) => account.name).join(', ');
      throw new SimulatorError(`There is no account ${JSON.stringify(name)}; there are ${names}.`);
    },
    byToken: (token: string | null) =>
      token === null ? null : (accounts.find((account) => account.token === token) ?? null),
    open({ name, token, ...world }: AccountOptions): SimulatedAccount {
      const number = accounts.length + 1;
      const account = {
        name: name ?? `account-${number}`,
        token: token ?? `simulated-token-${number}`,
        world: createAccountWorld({ ...world, clock, seed: world.seed ?? seed + number - 1 }),
      };
      if (accounts.some((other) => other.name === account.name || other.token === account.token)) {
        throw new SimulatorError(`Two accounts would share the name ${account.name} or its token.`);
      }
      accounts.push(account);
      return account;
    },
  };
}

interface AccountWorldOptions {
  clock: Pick<SimulatorClock, 'now'>;
  seed: number;
  /** Number of extensions, 0 to 10,000. Default 24. */
  extensions?: number | undefined;
  /** Number of the first extension. Default 1001. */
  firstExtension?: number | undefined;
  /** Default: one to five generated sites, depending on size. */
  sites?: readonly Site[] | undefined;
  phoneShares?: PhoneShares | undefined;
  /** Days with generated calls, the last of them today. Default 36; 0 for a world with placed calls only. */
  callDays?: number | undefined;
  serviceId?: number | undefined;
}

interface SentSms {
  messageId: string;
  at: number;
  from: string;
  to: string;
  body: string;
}

/**
 * A consistent world of one account: extensions have phones; calls have charges, reports, recordings and messages;
 * agents belong to skillsets. The seed determines it.
 */
export type AccountWorld = ReturnType<typeof createAccountWorld>;

function createAccountWorld(options: AccountWorldOptions) {
  const count = options.extensions ?? 24;
  if (!Number.isInteger(count) || count < 0 || count > MOST_EXTENSIONS) {
    throw new SimulatorError(`An account has 0 to ${MOST_EXTENSIONS} extensions, not ${count}.`);
  }
  const { seed } = options;
  const seconds = (): number => options.clock.now() / 1000;
  const [site, ...otherSites] = options.sites ?? createSites(count);
  if (site === undefined) throw new SimulatorError('An account needs a site.');
  const sites: readonly [Site, ...Site[]] = [site, ...otherSites];

  // Each part has its own random stream, so that more extensions do not change numbers or phonebooks. The seed is
  // multiplied by the golden ratio, so that adjacent seeds share no stream.
  const stream = (part: number): Random => createRandom(Math.imul(seed, 0x9e3779b1) + part);
  const numbers = createNumberStock(stream(1));
  const extensions = createExtensionBook(stream(2), seconds);
  seedExtensions(extensions, stream(3), {
    count,
    first: options.firstExtension ?? 1001,
    sites,
    callerId: numbers.owned()[0]?.number ?? null,
  });
  const phones = createPhoneBook(stream(4), seconds);
  seedPhones(phones, stream(5), extensions.all(), sites, options.phoneShares);
  const phonebooks = createPhonebooks();
  seedPhonebooks(phonebooks, stream(6));
  const skillsets = seedSkillsets(extensions.all());
  const voicemailExtensions = createVoicemailExtensionBook();
  voicemailExtensions.add({
    user_id: '7000',
    name: 'General mailbox',
    timezone: 'Australia/Melbourne',
    vm_password: '4821',
    voicemail_emails: ['office@customer.example'],
  });
  const toggles = createToggleBook();

  const lateness: CallLateness = { reports: 0, charges: 0, unreported: false, stillSince: null };
  let callBook: SimulatedCalls | null = null;
  function calls(): SimulatedCalls {
    if (callBook !== null) return callBook;
    callBook = createCallBook(stream(7), {
      seconds,
      nameOf: (number) => extensions.byNumber(number)?.name ?? null,
      lateness,
    });
    const span = { now: seconds(), days: options.callDays ?? 36 };
    seedCompanyCalls(callBook, stream(8), { extensions, numbers, skillsets, phonebooks }, span);
    return callBook;
  }

  return {
    serviceId: options.serviceId ?? 5000 + (seed % 1000),
    sites,
    random: stream(9),
    /** Epoch seconds. */
    seconds,
    extensions,
    phones,
    toggles,
    phonebooks,
    numbers,
    skillsets,
    voicemailExtensions,
    messages: createMessageBook(calls, seconds),
    sent: [] as SentSms[],
    /** Generated on first use: most worlds only serve phones. */
    calls,
    placeCall: (story: CallStory): string => calls().place(story),
    /** Applies to calls placed from now on. */
    lateness,
    /** Sets a toggle, by id or name, to any value: the interface writes statuses in several ways. */
    setToggle(key: number | string, status: unknown): void {
      toggles.get(key).status = status;
    },
    /** Writes an empty map as `[]`, as the real interface does, and a single registration without its list. */
    quirks: { emptyMapAsList: true, loneRegistrationAsObject: false },
  };
}

/** Places no calls if the account has no number. */
function seedCompanyCalls(
  book: SimulatedCalls,
  random: Random,
  {
    extensions,
    numbers,
    skillsets,
    phonebooks,
  }: Pick<AccountWorld, 'extensions' | 'numbers' | 'skillsets' | 'phonebooks'>,
  span: { now: number; days: number },
): void {
  const [did, ...dids] = numbers.owned().map(({ number }) => number);
  if (did === undefined) return;
  const items = phonebooks.all().flatMap((phonebook) => phonebook.items);
  const company = {
    extensions: extensions.all().map((extension) => extension.user_id),
    dids: [did, ...dids] as const,
    skillsets: skillsets.map(({ name }) => name),
    known: items.flatMap((item) => ITEM_NUMBERS.flatMap((field) => item[field] ?? [])),
  };
  seedCalls(book, random, company, span);
}
