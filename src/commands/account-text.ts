/** An account's report as lines for people. */
import type { AccountReport } from '../daemon/account-report.ts';

const NAMED = 12;

export function accountLines(account: AccountReport): string[] {
  const { phones, toggles } = account;
  const missing = phones?.missing ?? [];
  const named = missing.slice(0, NAMED).join(', ');
  const more = missing.length - NAMED;
  return [
    ...account.blind.map((why) => `  cannot be read: ${why}`),
    phones === null ? '  phones not read yet' : `  ${phones.registered} of ${phones.total} phones registered`,
    ...(missing.length === 0 ? [] : [`  not registered: ${named}${more > 0 ? ` and ${more} more` : ''}`]),
    ...(toggles ?? []).map(
      ({ name, status }) => `  toggle ${name}: ${status === null ? 'unknown' : status ? 'on' : 'off'}`,
    ),
  ];
}
