/** How well the page can be read. */
export { joinOrigin, judgeHealth, type HealthSettings, type Parts } from '../observation/health.ts';
