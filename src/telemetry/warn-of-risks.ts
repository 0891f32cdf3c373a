import type { AssistantRegistry } from '../access/registry/assistant-registry.ts';
import { risksBeyondTrusted } from '../access/registry/risky-ways.ts';
import type { Log } from './log.ts';

/** Of one assistant: a list has as many as it has entries, and the first ones are enough to act. */
const MAX_WARNINGS = 20;

/**
 * For each registry that is taken: `staywire assistants approve` asks before it opens a way to others, but a registry that was edited by
 * hand asks nobody. Each risk is told once, until it has gone.
 */
export function createRiskWarnings({
  log,
}: {
  readonly log: Pick<Log, 'warn'>;
}): (registry: AssistantRegistry) => void {
  let told = new Set<string>();
  return (registry) => {
    const found = new Set<string>();
    for (const assistant of registry.assistants) {
      const { id } = assistant;
      for (const risk of risksBeyondTrusted(assistant, registry).slice(0, MAX_WARNINGS)) {
        const key = `${id} ${risk}`;
        found.add(key);
        if (told.has(key)) continue;
        log.warn(
          { assistant: id, risk },
          `others than this assistant can call in its name; name it more narrowly in the registry, or stop it with staywire assistants suspend ${id}`,
        );
      }
    }
    told = found;
  };
}
