/** Violations that axe finds on a page in a real browser. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Engine {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/**
 * A line for each rule that is broken, led by the colour scheme it is broken in. All rules are tried on the light page,
 * that of WCAG 2.2 which axe leaves out by default as well; on the dark one those that read colours, as nothing else
 * differs there. The page is light afterwards.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await run(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await run(page, { rules: { 'target-size': { enabled: true } } });
  return [...light.map((line) => `light ${line}`), ...dark.map((line) => `dark ${line}`)];
}

async function run(page: Page, options: object): Promise<string[]> {
  const { violations } = await page.evaluate(
    async (given) => await (globalThis as unknown as { axe: Engine }).axe.run(given),
    { resultTypes: ['violations'], ...options },
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
