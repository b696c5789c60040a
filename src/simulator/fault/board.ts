/** The faults in force: which requests they hit and how often still. */
import { SimulatorError } from '../trouble.ts';
import type { Fault, FaultOrder } from './fault.ts';

/** What a fault's place is compared with. */
export interface Target {
  operation: string | null;
  method: string;
  path: string;
  page: number;
}

export interface FaultInForce extends FaultOrder {
  id: number;
  /** Requests hit so far. */
  hits: number;
}

export interface FaultBoard {
  /** Puts a fault in force; the answer is its number. */
  add: (order: FaultOrder) => number;
  remove: (id: number) => void;
  clear: () => void;
  list: () => readonly FaultInForce[];
  /** The faults that hit this request, in the order they were added; each hit is counted. */
  strike: (target: Target) => Fault[];
}

export function createFaultBoard(operations: readonly string[]): FaultBoard {
  let inForce: FaultInForce[] = [];
  const seen = new Map<number, number>();
  let nextId = 1;

  function hits(fault: FaultInForce, target: Target): boolean {
    if (fault.method !== undefined && fault.method.toUpperCase() !== target.method) return false;
    if (fault.page !== undefined && fault.page !== target.page) return false;
    return placeMatches(fault.on ?? 'all', target);
  }

  return {
    add(order) {
      const on = order.on ?? 'all';
      if (on !== 'all' && !on.startsWith('/') && !operations.includes(on)) {
        throw new SimulatorError(
          `A fault stands on an operation, a path that begins with / or "all"; ${JSON.stringify(on)} is none of them.`,
        );
      }
      const id = nextId;
      nextId += 1;
      inForce.push({ ...order, id, hits: 0 });
      return id;
    },
    remove(id) {
      if (!inForce.some((fault) => fault.id === id)) throw new SimulatorError(`There is no fault ${id} in force.`);
      inForce = inForce.filter((fault) => fault.id !== id);
    },
    clear() {
      inForce = [];
    },
    list: () => inForce,
    strike(target) {
      const struck: Fault[] = [];
      for (const fault of inForce.filter((candidate) => hits(candidate, target))) {
        const arrived = (seen.get(fault.id) ?? 0) + 1;
        seen.set(fault.id, arrived);
        if (arrived <= (fault.skip ?? 0)) continue;
        fault.hits += 1;
        struck.push(fault.fault);
        if (fault.times !== undefined && fault.hits >= fault.times) {
          inForce = inForce.filter((other) => other !== fault);
        }
      }
      return struck;
    },
  };
}

function placeMatches(on: string, target: Target): boolean {
  if (on === 'all' || on === target.operation) return true;
  if (!on.startsWith('/')) return false;
  const pattern = on.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('.*')}$`).test(target.path);
}
