import type { AccessList } from '../../src/access/access-list.ts';
import type { AssistantRegistry } from '../../src/access/registry/assistant-registry.ts';

/** A registry that stays as it is, of assistants that sign nothing. */
export function fixedAccessList({ assistants }: AssistantRegistry): () => AccessList {
  const list = { assistants, keys: [] };
  return () => list;
}
