/**
 * What decides how losses become events, and what an event is blamed on. Each number stands here with its reason; the rules
 * that they belong to open `losses.ts`.
 */
import { MINUTE } from '../../text/duration.ts';

/** The longest registration in use is an hour, and a dead phone stays listed some minutes longer. */
export const DRIP_MS = 70 * MINUTE;
/** Phones that are lost so soon after one another are told in one alert, wherever they are. */
export const SINGLES_WITHIN_MS = 10 * MINUTE;
/** A dead phone stays listed for a minute or two after its registration has run out, and a poll sees it a minute late. */
export const LISTED_AFTER_EXPIRY_MS = 4 * MINUTE;
/** It stays listed for a minute at least: one that was dropped earlier was signed off, or its list was cut. */
export const LISTED_AT_LEAST_MS = MINUTE;

/** `EXPSECS` counts whole seconds at the provider’s: a rise or a fall by less says nothing. */
export const RISE_MS = 5_000;

/** The provider's registrar has been seen to miss a healthy phone in one listing. */
export const ANSWERS_UNTIL_BELIEVED = 2;
/** A phone that has been missing from so many answers is going, though the hold-off is not over. */
export const ANSWERS_UNTIL_GOING = 2;

/** One in a hundred: at one decision a loss, a wrong name is rarer than the outages people remember. */
export const NAMED_BELOW = 0.01;
/** What was told is taken back for one in two thousand: losses come in any order, and early ones mislead. */
export const NARROWED_BELOW = 0.0005;
/** A loss is spread once it is no wonder any more that it fell on what was named. */
export const SPREAD_ABOVE = 0.05;
/** An account that loses one thing loses it in these minutes, or loses half of what it has: else it is chance. */
export const ACCOUNT_WITHIN_MS = 20 * MINUTE;
export const ACCOUNT_SHARE = 0.5;
/** So much of what is lost has to be within what is named; the rest may be noise. */
export const COVERED = 0.85;
/** At most so many sites fail by themselves in one hour; more than these are one event of what they share. */
export const SITES_AT_ONCE = 3;
/** Sites that go within these minutes have lost something that they share. */
export const TOGETHER_WITHIN_MS = 3 * MINUTE;
/** So much of a site has to be out for it to be one of several that are. */
export const MOSTLY_OUT = 0.8;
/** So many phones of other kinds have to stand before a model is blamed: with fewer there is nothing to compare with. */
export const CONTRAST = 2;
/** So many phones that renewed elsewhere after a loss show that the registrar worked then. */
export const PROOF = 3;

/** A site that moves does so in these minutes, phone by phone. */
export const FOLLOWS_WITHIN_MS = 10 * MINUTE;
/** So many phones that renew where they were show that their site has not moved: one may be in between. */
export const STAYED = 2;

/** Losses in this many minutes are the same event as one before; three by one phone are called flapping. */
export const FLAPPING_WITHIN_MS = 60 * MINUTE;
export const FLAPPING_LOSSES = 3;
export const STABLE_MS = 60 * MINUTE;
/** What is lost for so long does not come and go three times an hour. */
export const STAYS_LOST_MS = 30 * MINUTE;

/** What was gone for so long has been logged off; outages of so long, at one hour on three days, are rarer. */
export const EVENING_LEAST_MS = 4 * 60 * MINUTE;
/** People leave within an hour, and a registration takes up to an hour to run out. */
export const HABIT_WITHIN_MS = 60 * MINUTE;
/** Once is chance and twice is a coincidence; of five days one may be an early one and one a late one. */
export const HABIT_DAYS = 3;
export const HABIT_OF_DAYS = 5;
/** Whoever comes an hour after his usual time comes late. */
export const HABIT_LATE_MS = 60 * MINUTE;
/** People of one office come within two hours: where nobody has come yet, the last of them are waited for. */
export const DUE_WITHIN_MS = 120 * MINUTE;
/** Two weeks of evenings, and what is older than four weeks is no habit any more. */
export const EVENINGS_KEPT = 10;
export const EVENINGS_KEPT_DAYS = 28;

/** An account is hit by what hits several when it has lost so many phones and so much of them. */
export const HIT_PHONES = 2;
export const HIT_SHARE = 0.15;
/** So many accounts and so much of them are hit by one trouble; two are enough where there are few. */
export const WIDESPREAD_ACCOUNTS = 3;
export const WIDESPREAD_SHARE = 0.2;
export const FEW_ACCOUNTS = 3;

/** From its own alert to that of its neighbours, and on to that of a notice: a third move within an hour has no reason. */
export const MOST_MOVES = 2;
export const MOVES_WITHIN_MS = 60 * MINUTE;
