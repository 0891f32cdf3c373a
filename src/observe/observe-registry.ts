import type { RegistryEvent } from '../access/registry/watch-registry.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Tells the owner what became of a registry that has changed while the service runs. */
export function createRegistryObserver({
  log,
  metrics,
}: {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registryInForce'>;
}): (event: RegistryEvent) => void {
  return (event) => {
    metrics.registryInForce(event.kind === 'taken' || event.kind === 'none');
    switch (event.kind) {
      case 'taken':
        log.info({ assistants: event.registry.assistants.length }, 'the registry of assistants is in force');
        return;
      case 'none':
        log.info('there is no registry of assistants, as before');
        return;
      case 'faulty':
        log.error(
          { faults: event.faults },
          'the registry of assistants has faults; the last good one stays in force',
        );
        return;
      case 'missing':
        log.error('the registry of assistants is gone; the last one stays in force');
        return;
      case 'unreachable':
        log.warn(
          { cause: event.message },
          'the registry of assistants cannot be read; the last one stays in force',
        );
    }
  };
}
