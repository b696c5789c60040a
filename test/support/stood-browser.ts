/** A browser, and the page of a firm's night, for the tests of one file; both are closed at their end. */
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { firmNight } from './firm-statuses.ts';
import { openStood, type StoodWeb } from './stood-web.ts';

export interface StoodBrowser {
  browser: Browser;
  web: StoodWeb;
}

/** Called at the top of a file; what it returns can be used within tests. */
export function openStoodBrowser(): StoodBrowser {
  const opened: Partial<StoodBrowser> = {};
  beforeAll(async () => {
    opened.browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    opened.web = await openStood(firmNight());
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.web?.[Symbol.asyncDispose]();
  });
  return opened as StoodBrowser;
}
