import type { WrittenBody } from '../../src/contract/exchange.ts';

/** A body that is written already. */
export function writtenBody(text: string | Uint8Array = '{}'): WrittenBody {
  return { text, read: () => JSON.parse(Buffer.from(text).toString()) };
}
