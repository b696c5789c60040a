/** The configuration and the daemon of now. */
import type { Assembled } from '../../daemon/assemble.ts';
import type { Recorder } from '../../daemon/recorder.ts';
import type { Configuration } from '../configuration.ts';

export type Wanted = Pick<Configuration, 'config' | 'secrets'>;

/** What runs now; a reload replaces it. */
export interface Present extends Wanted {
  recorder: Recorder | null;
  /** Null before the first daemon is assembled. */
  assembled: Assembled | null;
}
