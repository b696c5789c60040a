/** Addresses: where an operation lives below its base address, and where a link of an answer leads. */
import { ProviderError } from './errors.ts';

/** The base address without a trailing slash, query or fragment. Throws a plain TypeError for what is no http address. */
export function readBaseAddress(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new TypeError('the base address must be an http or https address such as https://status.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the base address must not carry a user name or password');
  }
  url.hash = '';
  url.search = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** The address of an operation: its path is appended to the base address, whatever prefix that has. */
export function operationAddress(base: URL, path: string, query: URLSearchParams): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`;
  url.search = query.toString();
  return url;
}

/**
 * Where a link leads, followed as given: a leading slash means the origin, a bare query the page it stands
 * on, anything else resolves against the base address. Throws `foreign_link` for another origin.
 */
export function resolveLink(base: URL, current: URL, link: string, operation: string): URL {
  const anchor = link.startsWith('?') ? current : new URL(`${base.href.replace(/\/+$/, '')}/`);
  const url = URL.parse(link, anchor);
  if (url === null) {
    const asked = { operation, url: current };
    throw new ProviderError('contract_broken', asked, ({ it }) => `${it} gave a link that is no address`);
  }
  refuseForeign(base, url, current, operation);
  url.hash = '';
  return url;
}

export function refuseForeign(base: URL, target: URL, current: URL, operation: string): void {
  if (target.origin === base.origin && target.username === '' && target.password === '') {
    return;
  }
  const words = `leads to another origin, ${target.origin}, which is not followed; if the provider has moved, change base_url`;
  throw new ProviderError('foreign_link', { operation, url: current }, ({ it }) => `${it} ${words}`);
}
