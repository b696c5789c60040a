/** Error responses of the account interface, in the form of the web framework it probably uses. */
import type { FieldErrors } from '../request-input.ts';
import { type RawReply, createJsonReply } from '../simulated-reply.ts';

export function refuseUnauthenticated(): RawReply {
  return createJsonReply(401, { message: 'Unauthenticated.' });
}

export function refuseMissingRecord(model: string, id: number | string): RawReply {
  return createJsonReply(404, { message: `No query results for model [App\\Models\\${model}] ${id}` });
}

export function refuseUnknownRoute(path: string): RawReply {
  return createJsonReply(404, { message: `The route ${path.replace(/^\//, '')} could not be found.` });
}

/** `verbs` are allowed for the path and listed in `Allow`. */
export function refuseVerb(verb: string, path: string, verbs: readonly string[]): RawReply {
  const message = `The ${verb} method is not supported for route ${path.replace(/^\//, '')}. Supported methods: ${verbs.join(', ')}.`;
  return createJsonReply(405, { message }, { allow: verbs.join(', ') });
}

/** Invalid values by field; the message quotes the first and counts the rest. */
export function refuseInput(errors: FieldErrors): RawReply {
  const [first = 'The given data was invalid.', ...others] = Object.values(errors).flat();
  const more = others.length === 0 ? '' : ` (and ${others.length} more error${others.length === 1 ? '' : 's'})`;
  return createJsonReply(422, { message: first + more, errors });
}
