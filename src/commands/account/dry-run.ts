/** The request an operation would become, as it would be sent, with what is secret struck out. */
import type { AccountConfig } from '../../config/config.ts';
import { operationAddress, readBaseAddress } from '../../provider/address.ts';
import { MASK, maskInput } from '../../provider/mask.ts';
import type { Operation } from '../../provider/operation.ts';
import { encodeRequest } from '../../provider/request.ts';
import type { Platform } from '../platform.ts';
import { userAgent } from './chosen-account.ts';
import type { Input } from './input.ts';
import type { Target } from './registration.ts';

export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Throws a `ProviderError` for input that would be refused before sending. */
export function prepareRequest(
  operation: Operation,
  input: Input,
  account: AccountConfig,
  platform: Platform,
  showSecrets: boolean,
): PreparedRequest {
  const { path, query, body } = encodeRequest(operation, input);
  const fields = body === undefined ? undefined : (JSON.parse(body) as Input);
  return {
    method: operation.verbs[0],
    url: operationAddress(readBaseAddress(account.baseUrl), path, query).href,
    headers: {
      'user-agent': userAgent(platform),
      accept: 'application/json',
      // The key opens the whole account: it is not shown even to those who ask for secrets.
      authorization: `Bearer ${MASK}`,
      'content-type': 'application/json',
    },
    body: fields === undefined || showSecrets ? fields : maskInput(operation, fields),
  };
}

/** `target` is whose registration is meant, where its id would be looked up first. */
export function printRequest(
  { out, err }: Platform,
  prepared: PreparedRequest,
  target: Target | null,
  isJson: boolean,
): void {
  const isLookedUp = target?.kind === 'number';
  const shown = isLookedUp ? { ...prepared, url: prepared.url.replace(/\d+$/, 'ID') } : prepared;
  if (isLookedUp) err.write(`ID stands for the id of extension ${target.number}, which would be looked up first.\n`);
  out.write(`${isJson ? JSON.stringify(shown, null, 2) : requestLines(shown).join('\n')}\n`);
}

function requestLines({ method, url, headers, body }: PreparedRequest): string[] {
  return [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', JSON.stringify(body, null, 2)]),
  ];
}
