import type { InventoryStore } from '../availability/inventory-store.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { CliSettings, CliTools } from './command.ts';

type Documents = Pick<InventoryStore, 'document' | 'saveDocument'> &
  AsyncDisposable & {
    /** A service works on the store. */
    readonly isInUse: boolean;
  };

/**
 * Where the tokens of accounts are kept while a booking system is tried: in the store, because vendors count the tokens that they
 * issue. While a service works on the store, what it stores is read, and no token is drawn: a vendor may let the service's own end with it,
 * and the new one would be lost with this command.
 */
export async function openDocumentsFor(
  { openInventory, openDocuments }: Pick<CliTools, 'openInventory' | 'openDocuments'>,
  settings: CliSettings,
): Promise<Documents> {
  try {
    const { inventory, close } = await openInventory(settings);
    return {
      document: (name) => inventory.document(name),
      saveDocument: (name, document) => inventory.saveDocument(name, document),
      isInUse: false,
      [Symbol.asyncDispose]: close,
    };
  } catch (failure) {
    const isInUse = failure instanceof Error && 'kind' in failure && failure.kind === 'in_use';
    if (!isInUse) throw failure;
    const stored = await openDocuments(settings);
    const written = new Map<string, Uint8Array<ArrayBuffer>>();
    return {
      document: async (name) => {
        const bytes = written.get(name) ?? (await stored.document(name));
        return bytes && new Uint8Array(bytes);
      },
      async saveDocument(name, document) {
        if (name.startsWith('account/')) {
          throw new BookingSystemFailure(
            'overloaded',
            'a new token is needed, and only the running service may ask for one: try again in a minute, or stop the service',
          );
        }
        written.set(name, new Uint8Array(document));
      },
      isInUse: true,
      [Symbol.asyncDispose]: () => stored.close(),
    };
  }
}
