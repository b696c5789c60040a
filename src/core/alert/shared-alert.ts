/**
 * One alert in which several accounts take part: what it costs each of them, as far as a reader may know. Each account
 * keeps its own part; whoever is told of the whole reads what stands here.
 */
import { greatest } from '../transition/long-lists.ts';
import type { OfVendor } from '../transition/transition.ts';

/** Phones of an account that are offline by one alert. */
export interface PhoneCounts {
  /** All that should be there at this hour. */
  total: number;
  down: number;
  /** The most that were down at once. */
  most: number;
}

export interface AccountLoss extends PhoneCounts {
  source: string;
}

export interface SharedAlert {
  /** `residual` once the provider said that it is over; `suspected` where an outage of the provider's is. */
  phase: 'open' | 'suspected' | 'residual';
  accounts: readonly AccountLoss[];
  /** The state of the notice that explains it, in the page's own word, and whose page it is; null without one. */
  notice: { state: string | null; by: OfVendor & { source: string } } | null;
}

/** What one account keeps of the alert. */
interface Part {
  id: string;
  status: 'open' | 'resolved';
  told: readonly { receiver: string }[];
  phones?: PhoneCounts;
  suspected?: boolean;
  residual?: boolean;
}

/** Of whom a message may speak: those whose part its receiver was told of, and those it tells of. */
export interface Reading {
  alert: string;
  receiver: string;
  /** Names of the sources that the message tells of. */
  sources: ReadonlySet<string>;
}

/** Null where that is fewer than two accounts. */
export function sharedAlert(
  reading: Reading,
  accounts: Iterable<{ name: string; alerts: readonly Part[] }>,
  notice: SharedAlert['notice'],
): SharedAlert | null {
  const parts = [...accounts].flatMap(({ name, alerts }) => {
    const mine = alerts.filter(({ id }) => id === reading.alert);
    const isTold = mine.some(({ told }) => told.some(({ receiver }) => receiver === reading.receiver));
    const counts = mine.flatMap(({ phones }) => phones ?? []);
    return counts.length > 0 && (isTold || reading.sources.has(name)) ? [{ name, mine, counts }] : [];
  });
  if (parts.length < 2) return null;
  const open = parts.flatMap(({ mine }) => mine.filter(({ status }) => status === 'open'));
  const isResidual = open.some(({ residual }) => residual === true);
  const isSuspected = open.some(({ suspected }) => suspected === true);
  return {
    phase: isResidual ? 'residual' : isSuspected ? 'suspected' : 'open',
    accounts: parts.map(({ name, counts }) => ({ source: name, ...sumOf(counts) })),
    notice,
  };
}

/** Of the parts of one account: each has phones of its own, though not always at the same time. */
function sumOf(counts: readonly PhoneCounts[]): PhoneCounts {
  const total = greatest(counts.map((each) => each.total));
  const sum = (of: 'down' | 'most'): number =>
    Math.min(
      total,
      counts.reduce((all, each) => all + each[of], 0),
    );
  return { total, down: sum('down'), most: sum('most') };
}
