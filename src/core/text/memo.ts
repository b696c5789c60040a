/**
 * Calls `make` once for each text, so that equal texts share one result; callers must not change it. Forgets everything
 * beyond `most` texts: some come from outside.
 */
export function memoizeText<T>(make: (text: string) => T, most: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const made = known.get(text);
    if (made !== undefined) return made;
    const fresh = make(text);
    if (known.size >= most) known.clear();
    known.set(text, fresh);
    return fresh;
  };
}
