/** The time zone of messages: the account's, else the machine's. If the result is UTC, a note says so. */
import type { TemplateAnswers } from '../../config/presets/template-answers.ts';
import type { Platform } from '../platform.ts';
import { askTimezone } from './questions.ts';

interface ChosenZone {
  timezone: string;
  /** For people; null if the user chose it. */
  note: string | null;
}

/** `ofAccount`: the account's zone, if known. */
export async function chooseTimezone(
  platform: Platform,
  wanted: TemplateAnswers,
  ofAccount: string | null,
  isAsking: boolean,
): Promise<ChosenZone> {
  if (wanted.timezone !== null) return { timezone: wanted.timezone, note: null };
  const { zone, of } = proposedZone(platform, ofAccount);
  if (isAsking) {
    if (of === null) platform.err.write(`${NEITHER}.\n`);
    const proposal = of ?? 'or one such as Australia/Melbourne';
    return { timezone: await askTimezone(platform, wanted, zone, proposal), note: null };
  }
  const note = of === null ? `${NEITHER}: times are in UTC.` : `Times are in ${zone}, ${of}.`;
  return { timezone: zone, note: `${note} --timezone names another.` };
}

const NEITHER = 'Neither an account nor this machine names a time zone';

function proposedZone({ timezone }: Platform, ofAccount: string | null): { zone: string; of: string | null } {
  if (ofAccount !== null && isZone(ofAccount)) return { zone: ofAccount, of: 'as the account has it' };
  return isZone(timezone) ? { zone: timezone, of: 'as this machine has it' } : { zone: 'UTC', of: null };
}

/** UTC, by any of its names, means that no zone was set: no one lives in it. */
function isZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return !/^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal|Greenwich)(?:[+-]?0)?$/i.test(timeZone);
  } catch {
    // The platform reports an unknown zone only by throwing.
    return false;
  }
}
