/** The simulated status page that tests change: its notices, components and maintenances. */
export { createStatusWorld, type StatusWorld } from '../../src/simulator/status/world.ts';
