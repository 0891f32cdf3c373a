import type { AccessList } from '../../src/access/access-list.ts';
import type { AssistantRegistry } from '../../src/access/registry/assistant-registry.ts';

/** The list of a registry, as it is at each look, of assistants that publish nothing. */
export function accessListOf(registry: AssistantRegistry): () => AccessList {
  let list: AccessList = { assistants: registry.assistants, keys: [] };
  return () => {
    const { assistants } = registry;
    if (assistants !== list.assistants) list = { assistants, keys: [] };
    return list;
  };
}
