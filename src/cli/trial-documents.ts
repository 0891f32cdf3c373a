import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { CliSettings, CliTools } from './command.ts';

type Documents = Pick<InventoryStore, 'document' | 'saveDocument'> & AsyncDisposable;

/**
 * Where the tokens of accounts are kept while a booking system is tried: in the store, because vendors count the tokens that they
 * issue. While a service works on the store they are kept in memory, and what it stores is read.
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
      [Symbol.asyncDispose]: close,
    };
  } catch {
    const stored = await openDocuments(settings);
    const written = new Map<string, Uint8Array<ArrayBuffer>>();
    return {
      document: async (name) => {
        const bytes = written.get(name) ?? (await stored.document(name));
        return bytes && new Uint8Array(bytes);
      },
      saveDocument: async (name, document) => void written.set(name, new Uint8Array(document)),
      [Symbol.asyncDispose]: () => stored.close(),
    };
  }
}
