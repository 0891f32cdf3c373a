import { PATHS } from '../contract/vocabulary.ts';

/**
 * Addresses that an assistant follows as they are. They are relative unless the network has a public origin: some
 * assistants can only open addresses that were given to them whole. A request's Host header is never trusted for this.
 */
export type Links = {
  auth(): string;
  search(token: string, key: string): string;
  /** Supplies the value when it is followed. The ordinal completes the key, so that a list is made from one prefix. */
  supply(token: string, field: string): (value: string, key: string) => string;
  result(token: string, key: string): string;
};

export function createLinks(publicOrigin: string | null): Links {
  const origin = publicOrigin ?? '';
  return {
    auth: () => `${origin}${PATHS.auth}`,
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
