/** A recorded history in the place of the provider: what it answered at each step, looked at in virtual time. */
import type { Listing } from '../core/observation/listing.ts';
import type { AccountReadId } from '../provider/catalogue/account.ts';
import { recordedInspector } from '../provider/recorded-account.ts';
import type { RecordedAnswer } from '../provider/recorded-answer.ts';
import { readComponent, readNotice, readNoticeDetail, readPage } from '../provider/status-rows.ts';
import { ACCOUNT_PARTS } from '../simulator/history.ts';
import { accountLooker, type AccountLooker, type Looker } from './looker.ts';
import type { Clock } from './clock.ts';
import { ACCOUNT_OPERATIONS, courseOf, type Course, type RecordedPage, type RecordedStep } from './recorded-step.ts';

/** Sweeps after a step that can still tell something: what must persist is believed after three. */
const SWEEPS_A_STEP = 4;

/**
 * Nothing changes between two steps, so after a few sweeps the next one is put off until the next step, and for good
 * after the last: a week of silence costs nothing. Null for a history that never shows the page.
 */
export function replayLooker(steps: readonly RecordedStep[], clock: Pick<Clock, 'now'>): Looker | null {
  const pages = steps.flatMap(({ at, page }) => (page === undefined ? [] : [{ at, value: page }]));
  const [first] = pages;
  if (first === undefined) return null;
  const course = courseOf(pages, clock);
  let sweepsOfStep = 0;
  let last = first;

  function current(): RecordedPage {
    const step = course.now() ?? last;
    if (step !== last) sweepsOfStep = 0;
    last = step;
    return step.value;
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
      const next = course.changesAt();
      return sweepsOfStep < SWEEPS_A_STEP ? 0 : (next ?? Infinity) - clock.now();
    },
  };
}

function listing<T>(rows: readonly (T | null)[]): Listing<T> {
  const items = rows.filter((row) => row !== null);
  const junk = rows.length - items.length;
  const defects = junk === 0 ? [] : [{ key: 'junk', text: `${junk} rows of the recording cannot be read` }];
  return { kind: 'observed', items, defects, missing: null };
}

/** What was never recorded was empty: an account without toggles, a list of extensions that nobody wrote down. */
const NOTHING: RecordedAnswer = { value: [] };

/** An account in time: unlike a page it is swept at every interval, for what is missing must be seen to stay so. */
export function replayAccountLooker(
  steps: readonly RecordedStep[],
  name: string,
  clock: Pick<Clock, 'now'>,
): AccountLooker {
  const courses = new Map<AccountReadId, Course<RecordedAnswer>>();
  for (const part of ACCOUNT_PARTS) {
    const answers = steps.flatMap(({ at, account }) => {
      const value = account?.name === name ? account[part] : undefined;
      return value === undefined ? [] : [{ at, value }];
    });
    courses.set(ACCOUNT_OPERATIONS[part], courseOf(answers, clock));
  }
  const reader = recordedInspector(name, (operation) => courses.get(operation)?.now()?.value ?? NOTHING);
  return accountLooker({ ...reader, waitMs: () => 0 });
}
