/** What a step means for everybody else: promises that may be delivered, lines of the log, sources that step in their turn. */
import type { Entered } from '../core/alert/book.ts';
import type { Log } from '../log/log.ts';
import type { Entry } from '../core/outbox/entry.ts';
import type { Unsaved } from './unsaved.ts';
import type { Observer } from './options.ts';
import type { Origins } from './origins.ts';
import type { PendingMessages } from './pending.ts';
import { logStep, type LoggedStep } from './step-log.ts';

/** A step, whoever took it. */
export interface Published extends LoggedStep {
  state: { outbox: readonly Entry[] };
  entered: Entered[];
  /** False when nothing but noise has changed. */
  changed: boolean;
}

export interface PublicationDeps {
  log: Log;
  observer: Partial<Observer>;
  unsaved: Pick<Unsaved, 'savedAgain'>;
  pending: PendingMessages;
  origins: Origins;
  deliveries: { wake(): void };
  /** The accounts of a page, which step when something of it was told. */
  sources: { accountsOf(page: string): readonly { nudge(): void }[] };
}

export interface Publication {
  /** Called after every step, when its state is durable, or the disk has refused it. */
  publish(name: string, step: Published, saved: boolean): void;
  /** Whoever waits for what was published. */
  wake(name: string, step: Published): void;
}

export function createPublication(deps: PublicationDeps): Publication {
  const { log, observer, unsaved, pending, origins, deliveries, sources } = deps;
  return {
    publish(name, step, saved) {
      if (saved) unsaved.savedAgain(name);
      if (step.changed || !saved) pending.replace(name, step.state, saved);
      logStep(log, name, step);
      origins.entered(name, step.entered);
      if (step.entered.length > 0) observer.entered?.(name, step.entered);
    },
    wake(name, { entered, changed }) {
      if (entered.length > 0 || changed) deliveries.wake();
      if (entered.length > 0) for (const account of sources.accountsOf(name)) account.nudge();
    },
  };
}
