/** Text that is not JSON is refused before any reader sees it; the targets with bytes cover that. */
export function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
