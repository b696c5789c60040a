/** What a comparison brings forth; the same for every kind of source. */
export { identify, type Draft, type DraftOf, type Source } from '../transition/draft.ts';
