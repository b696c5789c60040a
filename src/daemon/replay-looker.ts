/** A recorded history in the place of the provider: what it answered at each step, looked at in virtual time. */
import { readComponent, readNotice, readNoticeDetail, readPage, type Raw } from '../provider/status-rows.ts';
import type { Listing } from '../status-page/observation.ts';
import type { Clock } from './clock.ts';
import type { Looker } from './looker.ts';

/** One step: everything the status interface would have answered from this moment on, in its own shapes. */
export interface RecordedStep {
  /** Epoch milliseconds. */
  at: number;
  page: Raw;
  components: readonly Raw[];
  notices: readonly Raw[];
  /** By notice id; one that is missing answers 404. */
  details: ReadonlyMap<string, Raw>;
}

/** Sweeps after a step that can still tell something: what must persist is believed after three. */
const SWEEPS_A_STEP = 4;

/**
 * Nothing changes between two steps, so after a few sweeps the next one is put off until the next step: a week
 * of silence costs nothing.
 */
export function replayLooker(steps: readonly RecordedStep[], clock: Pick<Clock, 'now'>): Looker {
  let sweepsOfStep = 0;
  let last: RecordedStep | undefined;

  function current(): RecordedStep {
    const step = steps.findLast(({ at }) => at <= clock.now()) ?? steps[0];
    if (step === undefined) throw new Error('a recorded history has at least one step');
    if (step !== last) sweepsOfStep = 0;
    last = step;
    return step;
  }

  return {
    page: () => {
      const { page, notices } = current();
      sweepsOfStep += 1;
      const value = readPage(page, 'recorded');
      const missed = { kind: 'missed', code: 'contract_broken', why: 'the recorded page holds no state' } as const;
      return Promise.resolve(
        value === null ? missed : { kind: 'observed', value: { ...value, noticeCount: notices.length } },
      );
    },
    components: () => Promise.resolve(listing(current().components.map(readComponent))),
    notices: (timeline) => {
      const rows = current().notices.map(readNotice);
      return Promise.resolve(listing(rows.filter((notice) => notice === null || notice.timeline === timeline)));
    },
    notice: (id) => {
      const raw = current().details.get(id);
      const value = raw === undefined ? null : readNoticeDetail(raw);
      return Promise.resolve(value === null ? { kind: 'absent', status: 404 } : { kind: 'observed', value });
    },
    restMs: () => {
      const next = steps.find(({ at }) => at > clock.now());
      return sweepsOfStep < SWEEPS_A_STEP || next === undefined ? 0 : next.at - clock.now();
    },
  };
}

function listing<T>(rows: readonly (T | null)[]): Listing<T> {
  const items = rows.filter((row) => row !== null);
  const junk = rows.length - items.length;
  const defects = junk === 0 ? [] : [{ key: 'junk', text: `${junk} rows of the recording cannot be read` }];
  return { kind: 'observed', items, defects, missing: null };
}
