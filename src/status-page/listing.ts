/** When a listing of the page may be believed to be whole. */
export { countDefects, isComplete } from '../observation/defects.ts';
