/** For whoever asks why a fault has cost more than others: what the members logged, and the requests to the pages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cost } from './faults.ts';
import { LEASE_MS, type Watch } from './watch.ts';

/** Folder to keep them in; default: they are not kept. */
const FOLDER = process.env['LINEWATCH_FAULT_LOGS'];
/** Unwatched for longer, in leases, counts as odd, and so does anything that is told twice. */
const ODD_LEASES = 1.5;

/** Called before a fault; the result, after it, with its number. */
export function followFault({ members, pages }: Pick<Watch, 'members' | 'pages'>): (fault: number, cost: Cost) => void {
  const since = new Date().toISOString();
  const before = members.map(({ process }) => process);
  const asked = pages.map(({ provider }) => provider.simulator.log.all().length);

  /** Of the process before the fault, too. */
  function logOf({ process }: Watch['members'][number], index: number): string {
    const lines = [...new Set([before[index], process])].flatMap((one) => one?.err().split('\n') ?? []);
    return lines.filter((line) => (/"time":"([^"]+)"/.exec(line)?.[1] ?? '') >= since).join('\n');
  }

  function requestsTo({ name, provider }: Watch['pages'][number], index: number): string {
    const requests = provider.simulator.log.all().slice(asked[index]);
    return [`== ${name}`, ...requests.map(({ at, operation }) => `${at.toFixed(0)} ms ${operation}`)].join('\n');
  }

  return (fault, cost) => {
    const isOdd = cost.toldTwice > 0 || cost.unwatchedMs > ODD_LEASES * LEASE_MS;
    if (FOLDER === undefined || !isOdd) return;
    mkdirSync(FOLDER, { recursive: true });
    const logs = members.map((member, index) => `== ${member.name}\n${logOf(member, index)}`);
    const text = [JSON.stringify({ ...cost, since }), ...logs, ...pages.map(requestsTo)].join('\n\n');
    writeFileSync(join(FOLDER, `${fault}-${cost.fault.replaceAll(' ', '-')}.log`), text);
  };
}
