/**
 * The status interface without HTTP: what a sweep would read of the simulator's world, row by row through the
 * same readers, and what it reads when the weather is bad. Fast enough for thousands of histories.
 */
import type { Defect, Listing, Miss } from '../../src/core/observation/listing.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { readComponent, readNotice, readNoticeDetail, readPage } from '../../src/provider/status-rows.ts';
import type { StatusDocuments } from '../../src/simulator/status/page-documents.ts';
import type { DetailAnswer } from '../../src/core/page/page-model.ts';

/** What may happen to one answer on its way. */
export const FAULTS = ['clear', 'missed', 'truncated', 'duplicate', 'reversed', 'junk', 'short', 'stale'] as const;
export type Fault = (typeof FAULTS)[number];

/** The fault of each question of a sweep. */
export interface Weather {
  page: Fault;
  components: Fault;
  present: Fault;
  future: Fault;
  past_recent: Fault;
  detail: Fault;
}

export function allOf(fault: Fault): Weather {
  return { page: fault, components: fault, present: fault, future: fault, past_recent: fault, detail: fault };
}

export const CLEAR = allOf('clear');

export interface PaperSource {
  documents(versionsAgo?: number): StatusDocuments;
}

const FIRST_PAGE = 25;

function missed(code: string): Miss {
  return { kind: 'missed', code, why: `the question was not answered (${code})` };
}

/** `weather` is asked anew at every question. */
export function paperReader(source: PaperSource, weather: () => Weather): PageReader {
  function at(fault: Fault): StatusDocuments {
    return source.documents(fault === 'stale' ? 1 : 0);
  }

  function listing<T extends { id: string }>(rows: readonly T[], fault: Fault, key: string): Listing<T> {
    const defects: Defect[] = [];
    if (fault === 'missed') return missed('server_error');
    if (fault === 'truncated') {
      return {
        kind: 'observed',
        items: rows.slice(0, Math.floor(rows.length / 2)),
        defects,
        missing: missed('timeout'),
      };
    }
    if (fault === 'duplicate') defects.push({ key: `${key}.repeated:1`, text: `${key}: 1 id came twice` });
    if (fault === 'junk') defects.push({ key: `${key}.unusable:5`, text: `${key}: 5 unusable rows` });
    if (fault === 'short' && rows.length > 0) {
      defects.push({ key: `${key}.total_count:+1`, text: `${key}: total_count says one more` });
      return { kind: 'observed', items: rows.slice(1), defects, missing: null };
    }
    const items = fault === 'reversed' ? rows.toReversed() : [...rows];
    return { kind: 'observed', items, defects, missing: null };
  }

  return {
    page() {
      const fault = weather().page;
      if (fault === 'missed' || fault === 'truncated') return Promise.resolve(missed('timeout'));
      const { page, notices } = at(fault);
      const value = readPage({ ...page, links: { notices: { count: notices.length } } }, 'status.example.test');
      return Promise.resolve(value === null ? missed('contract_broken') : { kind: 'observed', value });
    },
    components() {
      const fault = weather().components;
      const rows = at(fault).components.flatMap((row) => readComponent({ ...row }) ?? []);
      return Promise.resolve(listing(rows, fault, 'components'));
    },
    notices(timeline) {
      const fault = weather()[timeline];
      // A stale answer shows the notices there are as they were; deleted ones do not come back from it.
      const current = new Set(source.documents().notices.map(({ id }) => id));
      const rows = at(fault)
        .notices.filter((notice) => notice.timeline_state === timeline && current.has(notice.id))
        .flatMap((row) => readNotice({ ...row }) ?? []);
      return Promise.resolve(listing(timeline === 'past_recent' ? rows.slice(0, FIRST_PAGE) : rows, fault, 'notices'));
    },
    notice(id): Promise<DetailAnswer> {
      const fault = weather().detail;
      if (fault === 'missed' || fault === 'truncated' || fault === 'short') return Promise.resolve(missed('timeout'));
      const now = source.documents();
      const detail = now.details.has(Number(id)) ? at(fault).details.get(Number(id)) : undefined;
      const value = detail === undefined ? null : readNoticeDetail({ ...detail });
      if (value !== null) return Promise.resolve({ kind: 'observed', value });
      // A cache that is older than the notice knows nothing of it; that is no answer about it.
      if (now.details.has(Number(id))) return Promise.resolve(missed('timeout'));
      return Promise.resolve({ kind: 'absent', status: now.gone.has(Number(id)) ? 410 : 404 });
    },
    restMs: () => 0,
  };
}
