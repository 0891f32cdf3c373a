/** A part of a text is a view of the whole, which would stay in memory for as long as the part is kept: this one stands by itself. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
