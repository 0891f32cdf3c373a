export type BodyReading =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, unknown> }
  | RequestFault;

/** Why a request could not be read at all. */
export type RequestFault = {
  readonly kind: 'fault';
  readonly code: 'invalid_request' | 'unsupported_media_type' | 'invalid_idempotency_key';
};

export const NO_BODY: BodyReading = { kind: 'object', members: new Map() };
export const UNREADABLE: RequestFault = { kind: 'fault', code: 'invalid_request' };
export const OTHER_MEDIA_TYPE: RequestFault = { kind: 'fault', code: 'unsupported_media_type' };

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A JSON object, or no body at all. Members come as a map of the object's own keys, so that `__proto__` is a name like any
 * other: one that no field has.
 */
export function readBody(raw: Uint8Array): BodyReading {
  if (raw.length === 0) return NO_BODY;
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(raw));
  } catch {
    return UNREADABLE;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNREADABLE;
  return { kind: 'object', members: new Map(Object.entries(value)) };
}
