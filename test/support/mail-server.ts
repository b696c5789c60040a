/** smtp-server without its delay of 100 ms before each greeting, by which it finds clients that talk too soon. */
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';

/* oxlint-disable no-underscore-dangle -- the names that smtp-server gives its methods */

class PromptConnection extends SMTPConnection {
  override init(): void {
    this._setListeners(() => this.connectionReady());
  }
}

export class MailServer extends SMTPServer {
  override connect(socket: Socket, ...options: [SocketOptions?]): void {
    const connection = new PromptConnection(this, socket, ...options);
    this.connections.add(connection);
    connection.on('error', (error: Error) => this._onError(error));
    connection.on('connect', (data) => this._onClientConnect(data));
    connection.init();
  }
}

type SocketOptions = Parameters<SMTPServer['connect']>[1];
