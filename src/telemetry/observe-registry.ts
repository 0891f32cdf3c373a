import { nobodyApproved } from '../access/registry/none-approved.ts';
import type { RegistryCopy } from '../access/registry/registry-copy.ts';
import { goneText, howToGoOn } from '../access/registry/registry-gone.ts';
import type { RegistryEvent } from '../access/registry/watch-registry.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Tells the owner what became of a registry that has changed while the service runs. */
export function createRegistryObserver({
  log,
  metrics,
  where,
  copy,
}: {
  readonly log: Log;
  /** For people; holds no password. */
  readonly where: string;
  readonly copy: Pick<RegistryCopy, 'path'> | null;
  readonly metrics: Pick<Metrics, 'registryInForce'>;
}): (event: RegistryEvent) => void {
  return (event) => {
    metrics.registryInForce(event.kind === 'taken' || event.kind === 'none');
    switch (event.kind) {
      case 'taken': {
        log.info({ assistants: event.registry.assistants.length }, 'the registry of assistants is in force');
        const warning = nobodyApproved(event.registry, where);
        if (warning !== null) log.warn({ registry: where }, warning);
        return;
      }
      case 'none':
        log.info('there is no registry of assistants, as before');
        return;
      case 'faulty':
        log.error(
          { registry: where, faults: event.faults },
          'the registry of assistants has faults; the last good one stays in force, and a restart will fail until they are mended',
        );
        return;
      case 'missing':
        log.error(
          { registry: where, copy: copy?.path },
          `${goneText(where)} The last one stays in force. ${copy ? howToGoOn(copy) : 'Put it back, or store {"assistants": []} to answer nobody: no copy is kept of it, and a restart will not know whom it listed.'}`,
        );
        return;
      case 'unreachable':
        log.warn(
          { registry: where, cause: event.message },
          'the registry of assistants cannot be read; the last one stays in force',
        );
    }
  };
}
