// Loaded into Linewatch before itself. Its wall clock is off by as many milliseconds as the file MOVED_CLOCK says, which
// is read at the start and at each SIGUSR2.
const fs = process.getBuiltinModule('node:fs');

const now = Date.now.bind(Date);
let offsetMs = 0;

function read() {
  const file = process.env.MOVED_CLOCK;
  offsetMs = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0;
}

read();
Date.now = () => now() + offsetMs;
process.on('SIGUSR2', read);
