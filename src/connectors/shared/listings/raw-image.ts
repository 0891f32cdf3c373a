import { looseText } from '../vendors/loose-values.ts';

export type RawImage = { readonly url: string; readonly alt: string; readonly type: 'other' };

const MAX_ADDRESS = 2048;
const MAX_ALT = 2000;

/** A picture whose vendor says nothing of what it shows. Undefined without an address, so that one entry does not cost the others. */
export function rawImage(address: unknown, caption: unknown): RawImage | undefined {
  const text = looseText(address);
  if (text === undefined || text.length > MAX_ADDRESS) return undefined;
  const url = text.startsWith('//') ? `https:${text}` : text;
  return { url, alt: (looseText(caption) ?? '').slice(0, MAX_ALT), type: 'other' };
}
