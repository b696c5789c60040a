/** How well the page can be read. */
export { judgeHealth, type HealthSettings, type Parts } from '../observation/health.ts';
