/**
 * Generated tests try the same cases every time, so that a run says something about the change and not about luck.
 * `LINEWATCH_SEED=random` looks elsewhere; a failure prints the seed to come back with.
 */
import fc from 'fast-check';

const DEFAULT_SEED = 20_260_301;
const given = process.env['LINEWATCH_SEED'];

fc.configureGlobal({ seed: given === 'random' ? Date.now() : Number(given ?? DEFAULT_SEED) });
