/** As many silences as there may be, which end in a day. */
import { MOST_SILENCES } from '../../src/core/alert/silence.ts';
import type { RunningDaemon } from './running-daemon.ts';

export async function fillSilences({ daemon: { own }, clock }: Pick<RunningDaemon, 'daemon' | 'clock'>): Promise<void> {
  const now = clock.now();
  for (let index = 0; index < MOST_SILENCES; index += 1) {
    const id = `s${String(index).padStart(7, '0')}`;
    const span = { from: now, until: now + 86_400_000, createdAt: now, expiredAt: null };
    const silence = { id, matchers: { component: [`Trunk ${index}`] }, comment: '', ...span };
    await own.happened({ kind: 'silence', silence });
  }
}
