import { transcode } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Caller } from '../contract/exchange.ts';
import type { Random } from '../random.ts';
import type { OpeningId } from './recent-openings.ts';
import type { SessionId } from './session.ts';
import type { UsedKeyId } from './session-store.ts';

const TOKEN_PATTERN = /^ses_[A-Za-z0-9_-]{43}$/;
/** 132 bits: two keys of a session do not collide by chance, and rows and caches are smaller than with all 256. */
const USED_KEY_ID_CHARACTERS = 22;

export function newSessionToken(random: Random): string {
  return `ses_${random.bytes(32).toString('base64url')}`;
}

export function isSessionToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

/** `undefined` for a malformed token, so that it never reaches the store. */
export function sessionIdOf(token: string): SessionId | undefined {
  return TOKEN_PATTERN.test(token) ? hash('sha256', token, 'base64url') : undefined;
}

/** Includes the address, because all users of an assistant share its identity. */
export function openingIdOf(caller: Caller, key: string): OpeningId {
  return hash('sha256', `${caller.assistant}\n${caller.address}\n${key}`, 'base64url');
}

/** Includes the session, so that equal keys of two sessions cannot be recognised as equal. */
export function usedKeyIdOf(session: SessionId, key: string): UsedKeyId {
  return hash('sha256', `${session}\n${key}`, 'base64url').slice(0, USED_KEY_ID_CHARACTERS);
}

/**
 * Stored bodies hold this instead of the session token, and a replay inserts the token of the request. JSON text has no
 * raw control characters, so the placeholder occurs nowhere else.
 */
const TOKEN_PLACEHOLDER = '\u0001';
const TOKEN_PLACEHOLDER_BYTE = 1;

export function withoutToken(body: string, token: string): Buffer {
  return encoded(body.replaceAll(token, TOKEN_PLACEHOLDER));
}

/**
 * `Buffer.from(text)` takes four times as long once a text has a character beyond Latin-1, and every result has a ’ in its notes. Only for
 * text without lone surrogates, as all JSON is.
 */
function encoded(text: string): Buffer {
  return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8');
}

export function withToken(stored: Uint8Array, token: string): Buffer {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const tokenBytes = Buffer.from(token);
  const parts: Buffer[] = [];
  let start = 0;
  for (
    let at = bytes.indexOf(TOKEN_PLACEHOLDER_BYTE);
    at !== -1;
    at = bytes.indexOf(TOKEN_PLACEHOLDER_BYTE, start)
  ) {
    parts.push(bytes.subarray(start, at), tokenBytes);
    start = at + 1;
  }
  parts.push(bytes.subarray(start));
  return Buffer.concat(parts);
}
