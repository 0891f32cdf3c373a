/** PostgreSQL takes neither a zero character nor half a surrogate pair, and one text that it refuses would hold up all that come after. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
