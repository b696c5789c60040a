/**
 * The yardstick: the least that asks an address again and again in Node.js. One comparison with the answer before, a
 * webhook when it differs; nothing is read strictly, kept on disk or tried again.
 *
 * `node bare-poller.js INTERVAL_MS WEBHOOK ADDRESS...`
 */
import { request } from 'node:http';

const [interval, webhook, ...addresses] = process.argv.slice(2);
const agentless = { headers: { accept: 'application/json', connection: 'keep-alive' } };
const known = new Map();

function ask(address) {
  request(address, agentless, (response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (piece) => {
      body += piece;
    });
    response.on('end', () => compare(address, JSON.stringify(JSON.parse(body))));
  }).end();
}

function compare(address, seen) {
  const before = known.get(address);
  known.set(address, seen);
  if (before === undefined || before === seen) return;
  request(webhook, { method: 'POST' }, (response) => void response.resume()).end(seen);
}

function sweep() {
  for (const address of addresses) ask(address);
}

sweep();
setInterval(sweep, Number(interval));
