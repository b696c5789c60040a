/** How the account interface says no. The shapes follow the web framework it is likely built with. */
import type { FieldErrors } from '../request-input.ts';
import { type RawReply, jsonReply } from '../simulated-reply.ts';

export function unauthenticated(): RawReply {
  return jsonReply(401, { message: 'Unauthenticated.' });
}

/** A record that is not there. */
export function noRecord(model: string, id: number | string): RawReply {
  return jsonReply(404, { message: `No query results for model [App\\Models\\${model}] ${id}` });
}

/** For a path that is none of the interface. */
export function noRoute(path: string): RawReply {
  return jsonReply(404, { message: `The route ${path.replace(/^\//, '')} could not be found.` });
}

/** `verbs` are those that the path has; they go into Allow. */
export function wrongVerb(verb: string, path: string, verbs: readonly string[]): RawReply {
  const message = `The ${verb} method is not supported for route ${path.replace(/^\//, '')}. Supported methods: ${verbs.join(', ')}.`;
  return jsonReply(405, { message }, { allow: verbs.join(', ') });
}

/** Values that cannot be accepted, by field; the message is the first of them and how many follow. */
export function unprocessable(errors: FieldErrors): RawReply {
  const [first = 'The given data was invalid.', ...others] = Object.values(errors).flat();
  const more = others.length === 0 ? '' : ` (and ${others.length} more error${others.length === 1 ? '' : 's'})`;
  return jsonReply(422, { message: first + more, errors });
}

export function tooMany(retryAfterSeconds: number): RawReply {
  return jsonReply(429, { message: 'Too Many Attempts.' }, { 'retry-after': String(retryAfterSeconds) });
}
