import { PATHS } from '../contract/vocabulary.ts';

/**
 * Addresses that an assistant follows without changing them. They are absolute when the network has a public origin,
 * because some assistants can only open absolute ones. The Host header is never used for this: a caller can forge it.
 */
export type Links = {
  /** Opens a session when it is followed, with GET as well. */
  auth(source?: string | null): string;
  /** An address of this service by its path. */
  at(path: string): string;
  search(token: string, key: string): string;
  /** Following the address supplies the value. The prefix is built once for a whole list of values. */
  supply(token: string, field: string): (value: string, key: string) => string;
  result(token: string, key: string): string;
};

export function createLinks(publicOrigin: string | null): Links {
  const origin = publicOrigin ?? '';
  return {
    auth: (source = null) =>
      `${origin}${PATHS.auth}${source === null ? '' : `?source=${encodeURIComponent(source)}`}`,
    at: (path) => `${origin}${path}`,
    search: (token, key) => `${origin}${PATHS.search}?session=${token}&idempotency_key=${key}`,
    supply: (token, field) => {
      const prefix = `${origin}${PATHS.search}?session=${token}&field=${field}&value=`;
      return (value, key) => `${prefix}${encodeURIComponent(value)}&idempotency_key=${key}`;
    },
    result: (token, key) => `${origin}${PATHS.result}?session=${token}&idempotency_key=${key}`,
  };
}

/** `self_url` is always relative. */
export function searchPath(token: string): string {
  return `${PATHS.search}?session=${token}`;
}

export function resultPath(token: string): string {
  return `${PATHS.result}?session=${token}`;
}
