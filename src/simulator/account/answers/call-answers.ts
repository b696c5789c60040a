import type { billing } from '../../../provider/catalogue/billing.ts';
import type { callRecordings } from '../../../provider/catalogue/call-recordings.ts';
import type { callTranscripts } from '../../../provider/catalogue/call-transcripts.ts';
import type { reports } from '../../../provider/catalogue/reports.ts';
import { type Answers, type ApiCall, jsonReply, reply } from '../../simulated-reply.ts';
import type { CallRecord } from '../call-book.ts';
import { collectionCharges, outgoingCharges } from '../charges.ts';
import { recordingRows, transcriptFile, transcriptRows } from '../recordings.ts';
import { noRecord } from '../refusal.ts';
import {
  agentAvailability,
  answeredByExtensions,
  answeredVsMissed,
  incomingToExternal,
  missedCalls,
  outgoingCalls,
  type ReportSetting,
} from '../call-reports.ts';
import { DEFAULT_ZONE, type Period, type TimePeriod, namedPeriod, oneMonthAfter, readDatetimeText } from '../times.ts';
import { linksOf, type WorldOf } from './world-of.ts';

/** How a query names its window; without a name or a start it is today. */
interface CallWindow {
  time_period?: TimePeriod | undefined;
  start_time?: number | undefined;
  end_time?: number | undefined;
  timezone?: string | undefined;
}

function zoneOf(window: CallWindow): string {
  return window.timezone ?? DEFAULT_ZONE;
}

function periodOf(window: CallWindow, now: number): Period {
  if (window.start_time === undefined) {
    const named = namedPeriod(window.time_period ?? 'today', now, zoneOf(window));
    return { start: named.start, end: window.end_time ?? named.end };
  }
  return { start: window.start_time, end: window.end_time ?? oneMonthAfter(window.start_time) };
}

/** Billing, recordings, transcripts and reports: all of them follow from the calls of the account. */
export function callAnswers(
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
    // The schema has made sure that both dates exist.
    const [start, end] = [readDatetimeText(start_date) ?? 0, readDatetimeText(end_date) ?? 0];
    return worldOf(asked)
      .calls()
      .within({ start, end: end + 1 });
  }
  return {
    'billing.calls.outgoing.list': (dates, asked) => outgoingCharges(billed(dates, asked), worldOf(asked).serviceId),
    'billing.calls.collection.list': (dates, asked) =>
      collectionCharges(billed(dates, asked), worldOf(asked).serviceId),
    'call-recordings.list': (window, asked) => recordingRows(callsIn(window, asked), linksOf(asked)),
    'call-transcripts.list': (window, asked) =>
      transcriptRows(callsIn(window, asked), worldOf(asked).serviceId, linksOf(asked)),
    'call-transcripts.download-vtt': ({ transcript_id: id }, asked) => {
      const file = transcriptFile(worldOf(asked).calls().ended(), id);
      if (file === null) return noRecord('CallTranscript', id);
      return reply(200, file, {
        'content-type': 'text/vtt; charset=utf-8',
        'content-disposition': `attachment; filename="transcript-${id}.vtt"`,
      });
    },
    'reports.incoming-calls-external-numbers.list': (window, asked) =>
      incomingToExternal(callsIn(window, asked), settingOf(window, asked)),
    'reports.outgoing-calls.list': (window, asked) => outgoingCalls(callsIn(window, asked), settingOf(window, asked)),
    'reports.answered-extensions.list': (window, asked) =>
      answeredByExtensions(callsIn(window, asked), settingOf(window, asked)),
    'reports.incoming-answered-vs-missed.show': (window, asked) =>
      answeredVsMissed(callsIn(window, asked), {
        period: periodOf(window, worldOf(asked).seconds()),
        zone: zoneOf(window),
        exclude: window.exclude_did_numbers ?? [],
        ignoreSeconds: window.ignore_seconds ?? 0,
      }),
    'reports.missed-calls.list': (window, asked) => {
      const { serviceId, quirks } = worldOf(asked);
      const missed = missedCalls(callsIn(window, asked), serviceId);
      return quirks.emptyMapAsList && Object.keys(missed).length === 0 ? jsonReply(200, []) : missed;
    },
    'reports.agent-availability.list': (window, asked) => {
      const { extensions, seconds } = worldOf(asked);
      return agentAvailability(extensions.agentChanges(), extensions.all(), {
        period: periodOf(window, seconds()),
        zone: zoneOf(window),
        agents: window.agent_ids ?? [],
        statuses: window.agent_statuses ?? [],
        now: seconds(),
      });
    },
  };
}
