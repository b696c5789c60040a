/**
 * `npm run bench:nights`: how well causes are named, over many nights with a known truth.
 *
 *   npm run bench:nights -- [NIGHTS] [--seed N] [--kind PREFIX] [--show SEED]
 *
 * Other seeds are other nights: rules are made on some and tried on others.
 */
import { parseArgs } from 'node:util';
import { byKind, figuresOf, write } from './figures.ts';
import { nights } from './kinds.ts';
import { timeOf } from './night.ts';
import { judge, type Judgement } from './oracle.ts';
import { play, type Read } from './play.ts';

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printInbox(reader: string, inbox: readonly Read[]): void {
  print(`read by ${reader}:`);
  for (const { at, alert, title, text, changes } of inbox) {
    const kinds = changes.map(({ kind, status }) => `${kind} ${status}`).join(', ');
    print(`${timeOf(at)} #${alert.number} ${title} [${kinds}]\n    ${text.replaceAll('\n', '\n    ')}`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    show: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const count = Number(positionals[0] ?? 1000);
const all: Judgement[] = [];
const began = performance.now();
for (const night of nights(count, Number(values.seed), values.kind)) {
  if (values.show !== undefined && night.seed !== Number(values.show)) continue;
  const told = await play(night);
  const judgement = judge(night, told);
  all.push(judgement);
  if (values.show === undefined) continue;
  for (const { culprit, name, from, until, phones, customer } of night.causes) {
    print(
      `truth: ${culprit} ${name} of ${customer.name}, ${phones.length} of ${customer.phones.length} phones, ${timeOf(from)} to ${timeOf(until)}`,
    );
  }
  printInbox('everybody', told.read);
  const [most = ['nobody', []]] = [...told.inboxes].toSorted(([, one], [, other]) => other.length - one.length);
  printInbox(...most);
  print(JSON.stringify(judgement, null, 1));
}
if (values.json) print(JSON.stringify(all));
else if (values.show === undefined) {
  print(`${byKind(all)}\n\n${write(figuresOf(all))}`);
  print(`\n${((performance.now() - began) / 1000).toFixed(1)} s`);
}
