import type { Random } from '../random.ts';

/** In base64url, 12 bytes are 16 characters, without a rest that an identifier would share with the next one. */
const BYTES = 12;
const CHARACTERS = 16;
const DRAWN_AT_ONCE = 256;

/** Written as text for many requests at once, because that takes as long as for one. */
export function createRequestIds(random: Random): () => string {
  let text = '';
  let at = 0;
  return () => {
    if (at === text.length) {
      text = random.bytes(BYTES * DRAWN_AT_ONCE).toString('base64url');
      at = 0;
    }
    at += CHARACTERS;
    return `req_${text.slice(at - CHARACTERS, at)}`;
  };
}
