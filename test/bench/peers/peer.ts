/** A program that watches addresses and reports changes, with the data needed to measure it beside the others. */
import type { Measured } from '../process.ts';

export interface Watch {
  /** Folder of its configuration and its state; the same one after a restart. */
  folder: string;
  /** Base of the status page. */
  page: string;
  /** Addresses to request every second to see all of the measured page. */
  addresses: readonly string[];
  /** Address for its messages, on loopback. */
  receiverPort: number;
  /** Free ports for its own use. */
  ports: readonly number[];
}

export interface Peer {
  name: string;
  version: string;
  takes: 'http' | 'mail';
  /** Part of the address whose answer shows it the outage. */
  shownBy: string;
  /** Whether what its receiver took is about an outage, and not about its end or the program itself. */
  isOutage(text: string): boolean;
  start(watch: Watch): Promise<Measured>;
  /** Measured features that it lacks, a phrase each. */
  cannot: readonly string[];
}

/** Several processes that do one thing. */
export function together(all: readonly Measured[]): Measured {
  return {
    startedAt: Math.min(...all.map(({ startedAt }) => startedAt)),
    async cpuMs() {
      return (await Promise.all(all.map((one) => one.cpuMs()))).reduce((sum, ms) => sum + ms, 0);
    },
    async memory() {
      const each = await Promise.all(all.map((one) => one.memory()));
      const sum = (of: 'mb' | 'mostMb' | 'anonymousMb'): number => each.reduce((total, one) => total + one[of], 0);
      return { mb: sum('mb'), mostMb: sum('mostMb'), anonymousMb: sum('anonymousMb') };
    },
    log: () => all.map((one) => one.log()).join(''),
    async end() {
      const codes = await Promise.all(all.map((one) => one.end()));
      return codes.find((code) => code !== 0) ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
