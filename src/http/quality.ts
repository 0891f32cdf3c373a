/** The weight of an entry in `Accept` and its like. A malformed one counts as a refusal, so that no caller gets what it may not be able to read. */
export function readQuality(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
