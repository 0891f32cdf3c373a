/** The value and what is said of it; once, where the sentence repeats it. */
export function foundText(reason: string, value: string | undefined): string {
  return value === undefined || reason.includes(value) ? reason : `${value}: ${reason}`;
}
