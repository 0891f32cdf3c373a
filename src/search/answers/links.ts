import type { View } from '../../contract/exchange.ts';
import { CHOICES_PARAMETER } from '../../contract/operations.ts';
import { PATHS } from '../../contract/vocabulary.ts';
import { keyAfterRefusal, serviceKey } from '../../sessions/idempotency.ts';

/**
 * Addresses that an assistant follows without changing them. They are absolute when the network has a public origin,
 * because some assistants can only open absolute ones. The Host header is never used for this: a caller can forge it.
 */
export type Links = {
  /** Opens a session when it is followed, with GET or POST. */
  auth(source?: string | null, view?: View): string;
  /** An address of this service by its path. */
  at(path: string): string;
  /** The addresses of one session in one state. All of them carry the view on. */
  forSession(state: SessionState): SessionLinks;
};

export type SessionState = { readonly token: string; readonly revision: number; readonly view: View };

export type SessionLinks = {
  /** Reads the step; after a result it opens the refine step. */
  read(purpose?: 'read' | 'refine'): string;
  /** The same, after a value of the field was refused. */
  readAfterRefusal(field: string): string;
  /** Lists the possible values of the field, and changes nothing. */
  choices(field: string): string;
  /** Following the address supplies the value. */
  supply(field: string, value: string, ordinal: number | string): string;
  /** Following the address supplies all of the values. */
  supplyAll(
    values: readonly { readonly field: string; readonly value: string }[],
    ordinal: number | string,
  ): string;
  result(): string;
  /** Has the name of each field in braces, to be replaced. */
  template(fields: readonly string[]): string;
  /** Has `{value}`, to be replaced. */
  valueTemplate(field: string): string;
};

export function createLinks(publicOrigin: string | null): Links {
  const origin = publicOrigin ?? '';
  return {
    auth: (source = null, view = 'full') => {
      const query = new URLSearchParams();
      if (source !== null) query.set('source', source);
      if (view !== 'full') query.set('view', view);
      return `${origin}${PATHS.auth}${query.size === 0 ? '' : `?${query}`}`;
    },
    at: (path) => `${origin}${path}`,
    forSession: ({ token, revision, view }) => {
      const inView = view === 'full' ? '' : `&view=${view}`;
      const search = `${origin}${PATHS.search}?session=${token}`;
      // A step has an address for each of its values: only the value and the ordinal differ.
      const keyed = `&idempotency_key=${serviceKey(revision, '')}`;
      return {
        read: (purpose = 'read') => search + keyed + purpose + inView,
        readAfterRefusal: (field) => `${search}&idempotency_key=${keyAfterRefusal(revision, field)}${inView}`,
        choices: (field) => `${search}&${CHOICES_PARAMETER}=${field}${keyed}choices-${field}${inView}`,
        supply: (field, value, ordinal) =>
          `${search}&field=${field}&value=${encodeURIComponent(value)}${keyed}${ordinal}${inView}`,
        supplyAll: (values, ordinal) =>
          search +
          values.map(({ field, value }) => `&${field}=${encodeURIComponent(value)}`).join('') +
          keyed +
          ordinal +
          inView,
        result: () => `${origin}${PATHS.result}?session=${token}${keyed}result${inView}`,
        template: (fields) => `${search}${fields.map((field) => `&${field}={${field}}`).join('')}${inView}`,
        valueTemplate: (field) => `${search}&field=${field}&value={value}${inView}`,
      };
    },
  };
}

/** `self_url` is always relative. */
export function searchPath(token: string): string {
  return `${PATHS.search}?session=${token}`;
}

export function resultPath(token: string): string {
  return `${PATHS.result}?session=${token}`;
}
