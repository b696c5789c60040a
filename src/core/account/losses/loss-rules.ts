/**
 * Thresholds for forming events from losses and naming their causes, each with its reason. The rules that use them are
 * described at the top of `losses.ts`.
 */
import { MINUTE } from '../../text/duration.ts';

/** The longest lease in use is an hour, and a dead phone stays listed some minutes longer. */
export const DRIP_MS = 70 * MINUTE;
/** Phones lost within this time share an alert, wherever they are. */
export const SINGLES_WITHIN_MS = 10 * MINUTE;
/**
 * A dead phone stays listed for a minute or two after its registration has expired, and the poll sees it a minute late.
 */
export const LISTED_AFTER_EXPIRY_MS = 4 * MINUTE;
/** A dead phone stays listed for at least a minute: one that vanished earlier signed off, or its list was truncated. */
export const LISTED_AT_LEAST_MS = MINUTE;

/** The provider sends `EXPSECS` in whole seconds: smaller changes mean nothing. */
export const RISE_MS = 5_000;

/** The provider's registrar has been seen to omit a healthy phone from one listing. */
export const ANSWERS_UNTIL_BELIEVED = 2;
/** After this many absences a phone counts as going missing, before the end of the hold-off. */
export const ANSWERS_UNTIL_GOING = 2;

/** One in a hundred: at one decision a loss, wrong names are rarer than outages people remember. */
export const NAMED_BELOW = 0.01;
/** One in two thousand to revoke a report: losses come in any order, and early ones mislead. */
export const NARROWED_BELOW = 0.0005;
/** A loss counts as spread once chance may explain its distribution. */
export const SPREAD_ABOVE = 0.05;
/** A shared cause takes its phones within these minutes, or takes half of the account: otherwise it is chance. */
export const ACCOUNT_WITHIN_MS = 20 * MINUTE;
export const ACCOUNT_SHARE = 0.5;
/** Share of losses that the named domain has to contain; the rest may be noise. */
export const COVERED = 0.85;
/** At most this many sites fail independently in one hour; more are one event with a shared cause. */
export const SITES_AT_ONCE = 3;
/** Sites lost within these minutes have a shared cause. */
export const TOGETHER_WITHIN_MS = 3 * MINUTE;
/** Share of a site that has to be offline for it to be one of several lost sites. */
export const MOSTLY_OUT = 0.8;
/** Phones of other kinds that have to be registered before a model is named: with fewer there is no comparison. */
export const CONTRAST = 2;
/** Phones renewed elsewhere after a loss that prove that the registrar worked. */
export const PROOF = 3;

/** A site moves, phone by phone, within these minutes. */
export const FOLLOWS_WITHIN_MS = 10 * MINUTE;
/** Phones renewed at the old address that prove that the site has not moved: a single one may be in between. */
export const STAYED = 2;

/** Losses within these minutes belong to the same event; three of one phone are flapping. */
export const FLAPPING_WITHIN_MS = 60 * MINUTE;
export const FLAPPING_LOSSES = 3;
export const STABLE_MS = 60 * MINUTE;
/** A site, a model or an account that is lost again within this time of its return stays in its alert, with a count. */
export const LOST_AGAIN_WITHIN_MS = 60 * MINUTE;
/** While so many more phones of it go missing, its first losses wait for them so long at most. */
export const MORE_PHONES = 2;
export const WAITS_FOR_MORE_MS = MINUTE;
/** A phone lost for this long does not flap three times an hour. */
export const STAYS_LOST_MS = 30 * MINUTE;

/** An absence of this length is a habitual one; outages of this length, at one hour on three days, are rarer. */
export const EVENING_LEAST_MS = 4 * 60 * MINUTE;
/** People leave within an hour, and a registration takes up to an hour to expire. */
export const HABIT_WITHIN_MS = 60 * MINUTE;
/** Once is chance and twice is a coincidence; of five days one may be early and one late. */
export const HABIT_DAYS = 3;
export const HABIT_OF_DAYS = 5;
/** A phone may return up to an hour after its usual time. */
export const HABIT_LATE_MS = 60 * MINUTE;
/** People of one office arrive within two hours: if none has come yet, the last are waited for. */
export const DUE_WITHIN_MS = 120 * MINUTE;
/** Two weeks of evenings; absences older than four weeks no longer count. */
export const EVENINGS_KEPT = 10;
export const EVENINGS_KEPT_DAYS = 28;

/** Minimum number and share of lost phones for an account to be affected by a cause shared with others. */
export const HIT_PHONES = 2;
export const HIT_SHARE = 0.15;
/** Minimum number and share of affected accounts for a widespread cause; two suffice among few. */
export const WIDESPREAD_ACCOUNTS = 3;
export const WIDESPREAD_SHARE = 0.2;
export const FEW_ACCOUNTS = 3;
/** While a notice about phones is open, so many phones within ten minutes at so many sites are lost by what it reports. */
export const WITH_NOTICE_PHONES = 3;
export const WITH_NOTICE_SITES = 2;
/** Share of all phones of the accounts: among 1,000 phones three are lost by chance in many an hour. */
export const WITH_NOTICE_SHARE = 0.01;

/** One move to the alert of other accounts, and one to that of a notice: a third within an hour has no reason. */
export const MOST_MOVES = 2;
export const MOVES_WITHIN_MS = 60 * MINUTE;
