/** True for a JSON object, not for null or lists. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Value at a path such as `data.messages.0.status`; undefined if there is none. */
export function readValue(body: unknown, path: string): unknown {
  let value = body;
  for (const key of path.split('.')) {
    if (Array.isArray(value)) value = (value as unknown[])[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value ?? undefined;
}
