import { LOCAL } from '../../access/registry/assistant-registry.ts';
import { UsageFault } from '../faults.ts';

/** For a command about an assistant that the registry does not list. `consequence` ends the sentence. */
export function unlistedAssistant(id: string, where: string, consequence = ''): UsageFault {
  if (id === LOCAL) {
    return new UsageFault(
      [`${LOCAL} stands for the callers of STAYWIRE_TRUSTED_NETWORKS.`],
      'change that setting, and restart the service',
    );
  }
  return new UsageFault(
    [`${id} is not in the registry in ${where}${consequence}.`],
    'staywire assistants list shows who is registered',
  );
}
