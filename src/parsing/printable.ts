/** The escape sequences of text styles. */
const STYLES = String.raw`\u001b\[(?:1|2|22|31|32|33|39)m`;
const OBEYED = String.raw`\r\n|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`;
const WITH_STYLES = new RegExp(`${STYLES}|${OBEYED}`, 'gu');
const WITHOUT_STYLES = new RegExp(OBEYED, 'gu');

/**
 * Makes text from files and operators safe for a terminal: escapes characters that move the cursor, set the title, change the writing
 * direction or are invisible. In JSON these escapes mean the same as the characters, so data stays unchanged.
 */
export function printable(text: string, { hasStyles }: { readonly hasStyles: boolean }): string {
  return text.replace(hasStyles ? WITH_STYLES : WITHOUT_STYLES, (found) =>
    found.length > 2 || found === '\r\n' || found === '\n' || found === '\t' ? found : escapedUnits(found),
  );
}

function escapedUnits(sign: string): string {
  return Array.from({ length: sign.length }, (_, at) =>
    String.raw`\u`.concat(sign.charCodeAt(at).toString(16).padStart(4, '0')),
  ).join('');
}

/** PostgreSQL accepts neither a zero character nor half a surrogate pair, and one refused text would block everything behind it. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
