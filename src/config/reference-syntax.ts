/** Whether a text still holds a reference, which only one that could not be read does. */
export function holdsReference(text: string): boolean {
  return /\$\{(env|file|credential):[^{}]*\}/.test(text);
}
