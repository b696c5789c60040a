/** A page that is open in a browser: every new state is pushed to it. */
import { get } from 'node:http';

/**
 * Calls `onPiece` with each piece as it arrives. Resolves with the first piece, the present page; rejects if the page
 * cannot be kept open.
 *
 * @param url - of the page, without a slash at the end
 */
export function openPage(url: string, onPiece: (piece: Buffer) => void): Promise<Disposable> {
  return new Promise((resolve, reject) => {
    get(`${url}/events?page`, { agent: false }, (answer) => {
      if (answer.statusCode !== 200) {
        answer.destroy();
        reject(new Error(`the page cannot be kept open: ${answer.statusCode}`));
        return;
      }
      const opened = { [Symbol.dispose]: () => void answer.destroy() };
      answer.on('data', (piece: Buffer) => {
        onPiece(piece);
        resolve(opened);
      });
    }).on('error', reject);
  });
}
