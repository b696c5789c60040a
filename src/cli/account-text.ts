/** An account's report as lines for people. */
import { span } from '../core/wording/time.ts';
import { asUsual, awayText } from '../core/wording/phones.ts';
import type { AccountReport, SiteReport, ToggleReport } from '../core/view/account-report.ts';
import { andMore } from '../core/text/plain.ts';

const NAMED = 12;

/** `now` in epoch milliseconds. */
export function accountLines(account: AccountReport, now: number): string[] {
  const { phones, toggles, unread = [] } = account;
  // What could not be read now is not known now.
  const then = unread.includes('registrations') ? ' when last read' : '';
  return [
    ...account.blind.map((why) => `  cannot be read: ${why}`),
    phones === null
      ? '  phones not read yet'
      : `  ${phones.registered} of ${phones.total} phones registered${then}${asUsual(phones)}`,
    ...(phones?.sites ?? []).map((site) => siteLine(site, now)),
    ...(toggles ?? []).map((toggle) => toggleLine(toggle, unread.includes('toggles'))),
  ];
}

/** `Richmond: 12 of 14, offline: 101 Reception (for 6 min), …`. */
function siteLine({ site, registered, total, missing, away = 0, usual }: SiteReport, now: number): string {
  const named = missing.slice(0, NAMED).map(({ extension, name, since }) => {
    const known = name === null || name === extension ? extension : `${extension} ${name}`;
    return since === null ? known : `${known} (for ${span(Math.max(0, now - Date.parse(since)))})`;
  });
  const all = [named.join(', '), ...andMore(missing.length - NAMED)].join(' ');
  const gone = missing.length === 0 ? '' : `, offline: ${all}`;
  const expected = usual === undefined ? '' : `; ${awayText({ count: away, ...usual }, ' more')}`;
  return `  at ${site ?? 'an unknown address'}: ${registered} of ${total}${gone}${expected}`;
}

function toggleLine({ name, status, expected }: ToggleReport, isUnread: boolean): string {
  if (isUnread) return `  toggle ${name}: ${word(status)} when last read`;
  const should = expected === null ? '' : expected === status ? ', as it should be' : `, should be ${word(expected)}`;
  return `  toggle ${name}: ${word(status)}${should}`;
}

function word(status: boolean | null): string {
  return status === null ? 'unknown' : status ? 'on' : 'off';
}
