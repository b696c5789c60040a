/** A vendor's page on paper, watched by the daemon's own sweep and the core's own step. */
import { openVendorPage } from '../../src/pages/client.ts';
import { loadPageType, type VendorTypeName } from '../../src/pages/types.ts';
import type { RecordedAnswer } from '../../src/provider/http.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { recordedHttp } from '../../src/provider/recorded.ts';
import { paperWatch, type PaperOptions, type PaperWatch } from '../laws/paper-watch.ts';

export const MINUTE = 60_000;
export const BASE = 'https://status.example.test';
export const NOON = Date.parse('2026-03-02T12:00:00.000Z');

export interface VendorWatch {
  watch: PaperWatch;
  /** Paths asked, in order; forgotten before each sweep. */
  asked: string[];
  now(): number;
  /** Lets a minute pass, or as long as is said, and looks. */
  look(ms?: number): Promise<void>;
  /** Kinds of what was told to programs since the last call, with their subjects and ends. */
  news(): string[];
  /** Titles or headlines of messages to people since the last call. */
  messages(): { kinds: string[]; status: string; severity: string }[];
}

/** `answer` has what is under a path now; what is under none is a 404. */
export async function vendorWatch(
  type: VendorTypeName,
  answer: (path: string, now: number) => RecordedAnswer | undefined,
  options: Partial<PaperOptions> & { base?: string } = {},
): Promise<VendorWatch> {
  let clock = NOON;
  const asked: string[] = [];
  const baseUrl = options.base ?? BASE;
  const http = recordedHttp(baseUrl, ({ url }) => {
    const path = `${url.pathname}${url.search}`;
    asked.push(path);
    return answer(path, clock) ?? { error: 404 };
  });
  const limiter = createLimiter({ requestsPerSecond: 5 });
  const reader = openVendorPage(await loadPageType(type), { baseUrl, limiter, http });
  const watch = paperWatch({ reader }, { missingAfterMs: 15 * MINUTE, ...options, now: () => clock });
  let [told, said] = [0, 0];
  return {
    watch,
    asked,
    now: () => clock,
    async look(ms = MINUTE) {
      clock += ms;
      asked.length = 0;
      await watch.sweep();
    },
    news() {
      const fresh = watch.transitions.slice(told);
      told = watch.transitions.length;
      return fresh.map(({ kind, subject, to }) => `${kind} ${subject} ${String(to)}`);
    },
    messages() {
      const fresh = watch.people.slice(said);
      said = watch.people.length;
      return fresh.map(({ alert, changes }) => ({
        kinds: changes.map(({ transition }) => transition.kind),
        status: alert.resolvedAt === null ? 'open' : 'resolved',
        severity: alert.severity,
      }));
    },
  };
}
