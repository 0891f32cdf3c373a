import { hash } from 'node:crypto';

/** The text of a registry. Its version is another whenever the text is. */
export type RegistryDocument = { readonly version: string; readonly text: string };

/** Where a registry is kept. Rejects where it cannot be read or written. */
export type RegistrySource = {
  /** Null where there is none yet. Cheap while nothing has changed: nodes ask every second. */
  read(): Promise<RegistryDocument | null>;
  /** `expectedVersion` is what was read before, null for none: of two that change it at once, the second has to read again. */
  replace(expectedVersion: string | null, text: string): Promise<'replaced' | 'changed_meanwhile'>;
  close(): Promise<void>;
};

export function documentOf(text: string): RegistryDocument {
  return { version: hash('sha256', text), text };
}
