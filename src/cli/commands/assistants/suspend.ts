import { LOCAL } from '../../../access/registry/assistant-registry.ts';
import { withStatus } from '../../../access/registry/edit-registry.ts';
import type { CliTools, CommandResult } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { UsageFault } from '../../faults.ts';
import {
  changeNow,
  changeRegistry,
  type RegistryCommandOptions,
  SECONDS_UNTIL_IN_FORCE,
  whenInForce,
  withRegistry,
} from '../../registry/change-registry.ts';
import { paragraph } from '../../table.ts';

export type SuspendOptions = RegistryCommandOptions & { readonly note?: string };

/** Refuses an assistant from now on, by whatever way it is recognised, without forgetting it. */
export async function suspendAssistant(
  id: string,
  options: SuspendOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const suspended = changeNow(tools, 'suspended', options.note);
  return withRegistry(tools, options, async (opened) => {
    const isChanged = await changeRegistry(opened, ({ entries, text }) => {
      const registered = entries.find((entry) => entry.id === id);
      if (!registered || text === null) throw notRegistered(id, opened.where);
      return registered.status === 'suspended' ? null : withStatus(text, id, 'suspended', suspended);
    });
    return {
      exit: EXIT.done,
      json: {
        id,
        status: 'suspended',
        changed: isChanged,
        registry: opened.where,
        in_force_within_seconds: SECONDS_UNTIL_IN_FORCE,
      },
      text: isChanged
        ? `Suspended ${id}.\n${paragraph(whenInForce(opened))}`
        : paragraph(`${id} is suspended already, in ${opened.where}; nothing was changed.`),
    };
  });
}

function notRegistered(id: string, where: string): UsageFault {
  if (id === LOCAL) {
    return new UsageFault(
      [`${LOCAL} stands for the callers of STAYWIRE_TRUSTED_NETWORKS.`],
      'change that setting, and restart the service',
    );
  }
  return new UsageFault(
    [`${id} is not in the registry in ${where}, so it is refused already.`],
    'staywire assistants list shows who is registered',
  );
}
