/**
 * Everything that is written down of a running watch: a history for each page with the accounts it explains, for what
 * happens to them is one story, and one for each account without a page.
 */
import type { Config } from '../config/config.ts';
import type { RecordedAnswer } from '../provider/recorded-answer.ts';
import { createAccountRecorder, type AccountRecorder } from './account-recorder.ts';
import type { Looker } from './looker.ts';
import { createPageRecorder, type Recorder } from './recorder.ts';
import { createRecording, type RecordingOptions } from './recording.ts';

export interface Recorders {
  wrapLooker(source: string, looker: Looker): Looker;
  onAnswer(source: string, operation: string, answer: RecordedAnswer): void;
  /** Rejects when the disk refuses. */
  sweepEnded(source: string): Promise<void>;
}

type Deps = Pick<RecordingOptions, 'directory' | 'now' | 'redact'>;

export function createRecorders(
  { statusPages, accounts }: Pick<Config, 'statusPages' | 'accounts'>,
  deps: Deps,
): Recorders {
  const pages = new Set(statusPages.map(({ name }) => name));
  const storyOf = new Map(
    accounts.map(({ name, statusPage }) => [name, statusPage !== null && pages.has(statusPage) ? statusPage : name]),
  );
  const recordings = new Map(
    [...new Set([...pages, ...storyOf.values()])].map((story) => {
      const told = accounts.filter(({ name }) => storyOf.get(name) === story);
      const settings = Object.fromEntries(told.map(({ name, sites, labels }) => [name, { sites, labels }]));
      return [story, createRecording({ ...deps, name: story, accounts: settings })];
    }),
  );
  const recorders = new Map<string, Recorder>();
  const ofAccounts = new Map<string, AccountRecorder>();
  for (const [name, story] of storyOf) {
    const recording = recordings.get(story);
    if (recording === undefined) continue;
    const recorder = createAccountRecorder(name, recording, deps.now);
    ofAccounts.set(name, recorder);
    recorders.set(name, recorder);
  }
  return {
    wrapLooker(source, looker) {
      const recording = recordings.get(source);
      if (recording === undefined) return looker;
      const recorder = createPageRecorder({ looker, recording, now: deps.now });
      recorders.set(source, recorder);
      return recorder.looker;
    },
    onAnswer: (source, operation, answer) => ofAccounts.get(source)?.answered(operation, answer),
    sweepEnded: async (source) => recorders.get(source)?.sweepEnded(),
  };
}
