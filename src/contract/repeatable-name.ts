const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

/** Names are chosen by the caller and read by a model, so an answer repeats only those that could be a name. */
export function isRepeatableName(name: string): boolean {
  return NAME_PATTERN.test(name);
}
