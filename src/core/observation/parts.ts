/** What a look at a source brings back, part by part: a source that lacks all of them cannot be read at all. */
export const PAGE_PARTS = ['notices', 'page', 'components'] as const;

/** The list of extensions only adds names to it. */
export const ACCOUNT_PARTS = ['registrations', 'toggles'] as const;
export type AccountPart = (typeof ACCOUNT_PARTS)[number];
