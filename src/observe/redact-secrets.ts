/** The query of an address, where keys and tokens are sent. */
const QUERY = /(?:\?|%3f)[^\s"'<>\\]+/gi;
const USER_IN_ADDRESS = /(:\/\/)[^\s/"'@\\]+@/g;
const CREDENTIALS = /\b(bearer|basic)(?:\s+|%20|\+)[\w.~+/=%-]+/gi;
/** Also inside JSON that is quoted in a message, where quotation marks are escaped. */
const SENSITIVE_MEMBER =
  /("(?:authorization|cookie|set-cookie|idempotency[_-]?key|session|token)\\*"\s*:\s*\\*")[^"\\]*/gi;
/** The underscore may be percent-encoded. The minimum length leaves words such as `processes_open` alone. */
const SESSION_TOKEN = /ses(?:_|%5f)[\w%~.-]{16,}/gi;

/**
 * Redacts secrets anywhere in a finished log line: in messages, stacks, headers, keys. Callers can cause long error
 * messages, so every pattern runs in linear time.
 */
export function redactSecrets(line: string): string {
  return line
    .replace(QUERY, '?[redacted]')
    .replace(USER_IN_ADDRESS, '$1[redacted]@')
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(SENSITIVE_MEMBER, '$1[redacted]')
    .replace(SESSION_TOKEN, 'ses_[redacted]');
}
