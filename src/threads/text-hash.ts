const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The same number in every thread for the same text (FNV-1a), from 0 to 2³² − 1. For spreading texts, not for keeping anything secret. */
export function textHash(text: string, seed = FNV_OFFSET, prime = FNV_PRIME): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return hash >>> 0;
}
