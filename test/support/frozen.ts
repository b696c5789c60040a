/** Values that cannot be changed: an attempt ends the test. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const parts: readonly unknown[] = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value);
  for (const part of parts) frozen(part);
  return value;
}
