/**
 * Stored bodies must not hold session tokens, yet a replay must return the same bytes. JSON text never contains a raw
 * control character, so one stands in for the token; whoever reads the body back has the token in the request.
 */
const STAND_IN = '\u0001';
const STAND_IN_BYTE = 1;

export function withoutToken(body: string, token: string): Buffer {
  // Half the time of replaceAll, on every step that is recorded.
  return Buffer.from(body.split(token).join(STAND_IN));
}

export function withToken(stored: Uint8Array, token: string): Buffer {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const tokenBytes = Buffer.from(token);
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(STAND_IN_BYTE); at !== -1; at = bytes.indexOf(STAND_IN_BYTE, start)) {
    parts.push(bytes.subarray(start, at), tokenBytes);
    start = at + 1;
  }
  parts.push(bytes.subarray(start));
  return Buffer.concat(parts);
}
