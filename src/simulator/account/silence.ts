/** A tenth of a second of silence as a WAV file (RIFF, PCM, 8 kHz, 8 bit, one channel). */
const SAMPLE_RATE = 8000;
const SAMPLES = SAMPLE_RATE / 10;

export function silence(): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(44 + SAMPLES, 0x80);
  file.write('RIFF', 0, 'ascii');
  file.writeUInt32LE(36 + SAMPLES, 4);
  file.write('WAVEfmt ', 8, 'ascii');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'ascii');
  file.writeUInt32LE(SAMPLES, 40);
  return new Uint8Array(file);
}
