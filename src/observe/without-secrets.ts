/** From the question mark of an address to its end: keys and tokens of every kind travel there. */
const QUERY = /(?:\?|%3f)[^\s"'<>\\]+/gi;
const USER_IN_ADDRESS = /(:\/\/)[^\s/"'@\\]+@/g;
const CREDENTIALS = /\b(bearer|basic)(?:\s+|%20|\+)[\w.~+/=%-]+/gi;
/** Also inside JSON that a message quotes, where the quotation marks carry backslashes. */
const TELLING_MEMBER =
  /("(?:authorization|cookie|set-cookie|idempotency[_-]?key|session|token)\\*"\s*:\s*\\*")[^"\\]*/gi;
/** The underscore may have been percent-encoded by whoever built the address. The length spares `processes_open`. */
const SESSION_TOKEN = /ses(?:_|%5f)[\w%~.-]{16,}/gi;

/**
 * Takes out of a finished log line what must never be in one, wherever it came from: messages, stacks, headers, keys.
 * Callers can put long texts into error messages, so no pattern looks at a character more than a few times.
 */
export function withoutSecrets(line: string): string {
  return line
    .replace(QUERY, '?[redacted]')
    .replace(USER_IN_ADDRESS, '$1[redacted]@')
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(TELLING_MEMBER, '$1[redacted]')
    .replace(SESSION_TOKEN, 'ses_[redacted]');
}
