// Takes what Linewatch tells, and writes each event down as a line of /var/tmp/told: its id, its type, and the title of its alert.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

createServer(async (request, response) => {
  const pieces = await Array.fromAsync(request);
  for (const { id, type, data } of JSON.parse(Buffer.concat(pieces).toString())) {
    appendFileSync('/var/tmp/told', `${id} ${type} ${data.alert.title}\n`);
  }
  response.writeHead(204).end();
}).listen(8701, '127.0.0.1');
