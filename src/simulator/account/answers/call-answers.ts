import type { billing } from '../../../provider/catalogue/billing.ts';
import type { callRecordings } from '../../../provider/catalogue/call-recordings.ts';
import type { callTranscripts } from '../../../provider/catalogue/call-transcripts.ts';
import type { reports } from '../../../provider/catalogue/reports.ts';
import { type Answers, type ApiCall, createJsonReply, createReply } from '../../simulated-reply.ts';
import type { CallRecord } from '../call-book.ts';
import { listCollectionCharges, listOutgoingCharges } from '../charges.ts';
import { listRecordingRows, findTranscriptFile, listTranscriptRows } from '../recordings.ts';
import { refuseMissingRecord } from '../refusal.ts';
import {
  computeAgentAvailability,
  countAnsweredByExtensions,
  countAnsweredVsMissed,
  countIncomingToExternal,
  listMissedCalls,
  countOutgoingCalls,
  type ReportSetting,
} from '../call-reports.ts';
import { DEFAULT_ZONE, type SpanOfTime, type TimePeriod, resolvePeriod, addMonth, readDatetimeText } from '../times.ts';
import { toLinks, type WorldOf } from './world-of.ts';

/** Time window of a query; today if neither name nor start is given. */
interface CallWindow {
  time_period?: TimePeriod | undefined;
  start_time?: number | undefined;
  end_time?: number | undefined;
  timezone?: string | undefined;
}

function zoneOf(window: CallWindow): string {
  return window.timezone ?? DEFAULT_ZONE;
}

function periodOf(window: CallWindow, now: number): SpanOfTime {
  if (window.start_time === undefined) {
    const named = resolvePeriod(window.time_period ?? 'today', now, zoneOf(window));
    return { start: named.start, end: window.end_time ?? named.end };
  }
  return { start: window.start_time, end: window.end_time ?? addMonth(window.start_time) };
}

/** Billing, recordings, transcripts and reports, all derived from the account's calls. */
export function createCallAnswers(
  worldOf: WorldOf,
): Answers<typeof billing & typeof callRecordings & typeof callTranscripts & typeof reports> {
  function callsIn(window: CallWindow, asked: ApiCall): CallRecord[] {
    const world = worldOf(asked);
    return world.calls().within(periodOf(window, world.seconds()));
  }
  function settingOf(window: CallWindow, asked: ApiCall): ReportSetting {
    const { serviceId, phonebooks } = worldOf(asked);
    return { serviceId, zone: zoneOf(window), phonebookName: phonebooks.nameOf };
  }
  function billed({ start_date, end_date }: { start_date: string; end_date: string }, asked: ApiCall): CallRecord[] {
    // The schema ensures both dates.
    const [start, end] = [readDatetimeText(start_date) ?? 0, readDatetimeText(end_date) ?? 0];
    return worldOf(asked)
      .calls()
      .billedWithin({ start, end: end + 1 });
  }
  return {
    'billing.calls.outgoing.list': (dates, asked) =>
      listOutgoingCharges(billed(dates, asked), worldOf(asked).serviceId),
    'billing.calls.collection.list': (dates, asked) =>
      listCollectionCharges(billed(dates, asked), worldOf(asked).serviceId),
    'call-recordings.list': (window, asked) => listRecordingRows(callsIn(window, asked), toLinks(asked)),
    'call-transcripts.list': (window, asked) =>
      listTranscriptRows(callsIn(window, asked), worldOf(asked).serviceId, toLinks(asked)),
    'call-transcripts.download-vtt': ({ transcript_id: id }, asked) => {
      const file = findTranscriptFile(worldOf(asked).calls().ended(), id);
      if (file === null) return refuseMissingRecord('CallTranscript', id);
      return createReply(200, file, {
        'content-type': 'text/vtt; charset=utf-8',
        'content-disposition': `attachment; filename="transcript-${id}.vtt"`,
      });
    },
    'reports.incoming-calls-external-numbers.list': (window, asked) =>
      countIncomingToExternal(callsIn(window, asked), settingOf(window, asked)),
    'reports.outgoing-calls.list': (window, asked) =>
      countOutgoingCalls(callsIn(window, asked), settingOf(window, asked)),
    'reports.answered-extensions.list': (window, asked) =>
      countAnsweredByExtensions(callsIn(window, asked), settingOf(window, asked)),
    'reports.incoming-answered-vs-missed.show': (window, asked) =>
      countAnsweredVsMissed(callsIn(window, asked), {
        period: periodOf(window, worldOf(asked).seconds()),
        zone: zoneOf(window),
        exclude: window.exclude_did_numbers ?? [],
        ignoreSeconds: window.ignore_seconds ?? 0,
      }),
    'reports.missed-calls.list': (window, asked) => {
      const { serviceId, quirks } = worldOf(asked);
      const missed = listMissedCalls(callsIn(window, asked), serviceId);
      return quirks.emptyMapAsList && Object.keys(missed).length === 0 ? createJsonReply(200, []) : missed;
    },
    'reports.agent-availability.list': (window, asked) => {
      const { extensions, seconds } = worldOf(asked);
      return computeAgentAvailability(extensions.agentChanges(), extensions.all(), {
        period: periodOf(window, seconds()),
        zone: zoneOf(window),
        agents: window.agent_ids ?? [],
        statuses: window.agent_statuses ?? [],
        now: seconds(),
      });
    },
  };
}
