/** The page with seventy-five days behind it. */
import { writePast, type PastTrouble } from '../support/ninety-days.ts';
import { openWeb, type OpenWeb, type OpenWebOptions } from './open-web.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Early in the afternoon in Melbourne, summer and winter: nothing of what is counted back from it goes on over midnight. */
const AFTERNOON = 4 * HOUR;

export interface NoticeImportOptions extends OpenWebOptions {
  account?: string;
  /** The name of the component whose messages are late. */
  sms?: string;
  /** How long before now it ends; default: 0. */
  endedMs?: number;
  /** Default: what happens in every such history. */
  happened?: readonly PastTrouble[];
}

export interface WebWithPast extends OpenWeb {
  /** When the outage of forty-five days ago began, epoch milliseconds. */
  outageAt: number;
}

export async function openWithPast(options: NoticeImportOptions = {}): Promise<WebWithPast> {
  const { account = 'acme', sms = 'SMS', endedMs = 0, happened, ...own } = options;
  const web = await openWeb(own);
  const until = web.running.clock.now() - endedMs;
  const from = Math.floor((until - AFTERNOON) / DAY) * DAY + AFTERNOON;
  await writePast({
    history: web.kept.history,
    until,
    from,
    page: 'provider',
    account,
    components: { 1: 'Hosted PBX', 2: 'Hosted PBX › Registrations', 3: sms, 4: 'Portal' },
    sites: { Richmond: 20, Parramatta: 20 },
    ...(happened !== undefined && { past: happened }),
  });
  return Object.assign(web, { outageAt: from - 45 * DAY });
}
