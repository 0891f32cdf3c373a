/** The query of an address, where keys and tokens are sent. Percent-encoded once or several times, as clients and proxies do. */
const QUERY = /(?:\?|%(?:25){0,4}3f)[^\s"'<>\\]+/gi;
const USER_IN_ADDRESS = /:\/\/[^\s/?"'@\\]+@/g;
const ENCODED_QUESTION_MARK = /%(?:25){0,4}3f/i;
const CREDENTIALS = /\b(bearer|basic)(?:\s+|%20|\+)[\w.~+/=%-]+/gi;
/** Also inside JSON that is quoted in a message, where quotation marks are escaped. */
const SENSITIVE_MEMBER =
  /("(?:authorization|cookie|set-cookie|idempotency[_-]?key|session|token)\\*"\s*:\s*\\*")[^"\\]*/gi;
/** Any letter may be percent-encoded, once or several times. The minimum length leaves words such as `processes_open` alone. */
const SESSION_TOKEN = new RegExp(`${[...'ses_'].map(inAnySpelling).join('')}[\\w%~.-]{16,}`, 'gi');

/**
 * Redacts secrets anywhere in a finished log line: in messages, stacks, headers, keys. Callers can cause long error
 * messages, so every pattern runs in linear time.
 */
export function redactSecrets(line: string): string {
  return line
    .replace(USER_IN_ADDRESS, withoutUser)
    .replace(QUERY, '?[redacted]')
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(SENSITIVE_MEMBER, '$1[redacted]')
    .replace(SESSION_TOKEN, 'ses_[redacted]');
}

/** Before queries are, because a password may hold an encoded question mark. Where it is that of a query, all that follows is redacted with it. */
function withoutUser(user: string): string {
  return ENCODED_QUESTION_MARK.test(user) ? '://[redacted]?' : '://[redacted]@';
}

function inAnySpelling(letter: string): string {
  const codes = [letter.toLowerCase(), letter.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
  return `(?:${letter}|%(?:25){0,4}(?:${codes.join('|')}))`;
}
