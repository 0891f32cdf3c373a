import { withStatus } from '../../../access/registry/edit-registry.ts';
import type { CliTools, CommandResult } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import {
  changeNow,
  changeRegistry,
  type RegistryCommandOptions,
  SECONDS_UNTIL_IN_FORCE,
  whenInForce,
  withRegistry,
} from '../../registry/change-registry.ts';
import { unlistedAssistant } from '../../registry/unlisted-assistant.ts';
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
      if (!registered || text === null) {
        const place = { where: opened.where, isThere: text !== null };
        throw unlistedAssistant(id, place, ', so it is refused already');
      }
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
