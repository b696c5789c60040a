import { measureStart } from './start.ts';
import { tableOf } from './figures.ts';

console.log(tableOf(await measureStart()));
