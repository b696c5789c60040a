/** Vitest’s: workers load what an earlier worker or run has compiled. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/node'));
