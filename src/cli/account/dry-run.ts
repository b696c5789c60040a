/** Shows the request of an operation with secrets masked, without sending it. */
import type { AccountConfig } from '../../config/config.ts';
import { toAddress, toPath, readBaseAddress, type EncodedRequest } from '../../provider/request.ts';
import { MASK, maskInput } from '../../provider/field-kinds.ts';
import type { Operation } from '../../provider/operation.ts';
import type { Platform } from '../platform.ts';
import { formatUserAgent } from './chosen-account.ts';

interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface DryRun {
  readonly account: AccountConfig;
  readonly isJson: boolean;
  readonly showSecrets: boolean;
}

/** Prints request line, headers and body, or one JSON object. */
export function printRequest(platform: Platform, request: EncodedRequest, shown: DryRun): void {
  const prepared = prepare(platform, request, shown);
  platform.out.write(`${shown.isJson ? JSON.stringify(prepared, null, 2) : requestLines(prepared).join('\n')}\n`);
}

/** For an extension given by its number: without a lookup its id is unknown. */
export function printUnfinishedRequest(platform: Platform, operation: Operation, number: string, shown: DryRun): void {
  platform.err.write(`ID stands for the id of extension ${number}, which is looked up first without --dry-run.\n`);
  const path = toPath(operation, () => 'ID');
  printRequest(platform, { operation, path, query: new URLSearchParams(), body: undefined }, shown);
}

function prepare(platform: Platform, request: EncodedRequest, { account, showSecrets }: DryRun): PreparedRequest {
  const { operation, path, query, body } = request;
  return {
    method: operation.verbs[0],
    url: toAddress(readBaseAddress(account.baseUrl), path, query).href,
    headers: {
      'user-agent': formatUserAgent(platform),
      accept: 'application/json',
      // The key grants full access: masked even if secrets are requested.
      authorization: `Bearer ${MASK}`,
      'content-type': 'application/json',
    },
    body: body === undefined || showSecrets ? body : maskInput(operation, body),
  };
}

function requestLines({ method, url, headers, body }: PreparedRequest): string[] {
  return [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', JSON.stringify(body, null, 2)]),
  ];
}
