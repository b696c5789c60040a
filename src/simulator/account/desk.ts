/** The accounts of one provider: each its own world behind its own token. */
import type { Clock } from '../clock.ts';
import { SimulatorError } from '../trouble.ts';
import { type AccountWorld, type AccountWorldOptions, createAccountWorld } from './world.ts';

export interface AccountDraft extends Omit<AccountWorldOptions, 'clock' | 'seed'> {
  /** For scenarios and the control plane. Default `account-1`, `account-2` and so on. */
  name?: string | undefined;
  /** What clients send after `Bearer `. Default `simulated-token-1` and so on. */
  token?: string | undefined;
  seed?: number | undefined;
}

export interface Account {
  name: string;
  /** Null while every token is refused. */
  token: string | null;
  world: AccountWorld;
}

export interface AccountDesk {
  all: () => readonly Account[];
  /** The first account, or the one of this name. Throws a `SimulatorError` where there is none. */
  account: (name?: string) => Account;
  byToken: (token: string | null) => Account | null;
  open: (draft: AccountDraft) => Account;
}

export function createAccountDesk(clock: Pick<Clock, 'now'>, seed: number): AccountDesk {
  const accounts: Account[] = [];
  return {
    all: () => accounts,
    account(name) {
      const found = name === undefined ? accounts[0] : accounts.find((account) => account.name === name);
      if (found !== undefined) return found;
      const names = accounts.map((account) => account.name).join(', ');
      throw new SimulatorError(`There is no account ${JSON.stringify(name)}; there are ${names}.`);
    },
    byToken: (token) => (token === null ? null : (accounts.find((account) => account.token === token) ?? null)),
    open({ name, token, ...world }) {
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
