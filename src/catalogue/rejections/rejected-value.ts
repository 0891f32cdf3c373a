/** Enough to recognise a value; longer ones are cut. */
const MAX_SHOWN = 80;
/** Several times the shown length: escaping makes text longer, never shorter. */
const MAX_READ = 4 * MAX_SHOWN;
const ELLIPSIS = '…';

/** Control and invisible characters: controls, bidi, zero widths, odd blanks; and the backslash, which escapes them. */
const UNSAFE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Zs}\u2800\ufffc\ufffd\\]/gu;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  [' ', ' '],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

const USER_IN_ADDRESS = /(:\/\/)[^\s/?#]*@/g;
const UNFINISHED_HOST = /(:\/\/)[^\s/?#]*$/;
const CREDENTIALS = /\b(bearer|basic)(\s+|%20|\+)[\w.~+/=%-]+/gi;
/** A parameter or member with the name of a secret, and its value, which may be cut. */
const SECRET_PARAMETER =
  /((?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|signature|credential|authorization|(?<![a-z])(?:key|sig|auth|pwd))["']?\s*(?:=|:(?!\/\/)|%3d)\s*["']?)[^\s&"',;]+/gi;

/**
 * An operator's value in a form that is safe in reports: at most 80 characters on one line, nothing invisible, nothing secret. Objects and
 * lists are described, not quoted. Undefined for a missing member.
 */
export function shownValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

export function shownText(text: string): string {
  const read = text.slice(0, MAX_READ).toWellFormed();
  const wasCut = read.length < text.length;
  // A URL that was cut before its `@` ends in a user name and perhaps a password: drop what follows `://`.
  const complete = wasCut ? read.replace(UNFINISHED_HOST, '$1') : read;
  const escaped = escapedText(withoutSecrets(complete));
  return !wasCut && escaped.length <= MAX_SHOWN ? escaped : cut(escaped);
}

/** On one line, without control or invisible characters. */
export function escapedText(text: string): string {
  return text.replace(UNSAFE, escapedSign);
}

function withoutSecrets(text: string): string {
  return text
    .replace(USER_IN_ADDRESS, '$1[redacted]@')
    .replace(CREDENTIALS, '$1$2[redacted]')
    .replace(SECRET_PARAMETER, '$1[redacted]');
}

function escapedSign(sign: string): string {
  return SHORT_ESCAPES.get(sign) ?? `\\u{${sign.codePointAt(0)?.toString(16)}}`;
}

/** Never cuts inside an escape or a surrogate pair. */
function cut(escaped: string): string {
  const start = escaped.slice(0, MAX_SHOWN - 1);
  const whole = start.replace(/\\(?:u(?:\{[\da-f]*)?)?$/, (end, at: number) =>
    isEscaped(start, at) ? end : '',
  );
  return whole.replace(/[\ud800-\udbff]$/, '') + ELLIPSIS;
}

/** Whether the backslash at this place is the second half of an escaped one. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
