import { LOCAL } from '../../access/registry/assistant-registry.ts';
import { UsageFault } from '../faults.ts';

/** For a command about an assistant that the registry does not list, or where there is none. `consequence` ends the sentence. */
export function unlistedAssistant(
  id: string,
  { where, isThere }: { readonly where: string; readonly isThere: boolean },
  consequence = '',
): UsageFault {
  if (id === LOCAL) {
    return new UsageFault(
      [`${LOCAL} stands for the callers of STAYWIRE_TRUSTED_NETWORKS.`],
      'change that setting, and restart the service',
    );
  }
  if (!isThere) {
    return new UsageFault(
      [
        `There is no registry in ${where}. If there was one, a service that still runs by it goes on answering those whom it listed.`,
      ],
      'put that registry back with staywire assistants store FILE, or begin one with staywire assistants approve',
    );
  }
  return new UsageFault(
    [`${id} is not in the registry in ${where}${consequence}.`],
    'staywire assistants list shows who is registered',
  );
}
