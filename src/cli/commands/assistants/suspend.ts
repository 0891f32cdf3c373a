import {
  changeRegistry,
  changeStatus,
  SECONDS_UNTIL_IN_FORCE,
} from '../../../access/registry/change-registry.ts';
import { withoutAssistant } from '../../../access/registry/edit-registry.ts';
import type { CliTools, CommandResult } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { unlistedAssistant } from '../../registry/unlisted-assistant.ts';
import {
  notedChange,
  type RegistryCommandOptions,
  whenInForce,
  withRegistry,
} from '../../registry/with-registry.ts';
import { paragraph } from '../../table.ts';

/** Forgets an assistant, and with it how it was recognised, its limits and its history. Suspending refuses it and keeps them. */
export async function removeAssistant(
  id: string,
  options: RegistryCommandOptions,
  tools: CliTools,
): Promise<CommandResult> {
  return withRegistry(tools, options, async (opened) => {
    await changeRegistry(opened, ({ entries, text }) => {
      if (text === null || !entries.some((entry) => entry.id === id)) {
        throw unlistedAssistant(id, { where: opened.where, isThere: text !== null });
      }
      return withoutAssistant(text, id);
    });
    return {
      exit: EXIT.done,
      json: { id, registry: opened.where, in_force_within_seconds: SECONDS_UNTIL_IN_FORCE },
      text: `Removed ${id}, with its limits and its history.\n${paragraph(whenInForce(opened))}`,
    };
  });
}

export type SuspendOptions = RegistryCommandOptions & { readonly note?: string };

/** Refuses an assistant from now on, by whatever way it is recognised, without forgetting it. */
export async function suspendAssistant(
  id: string,
  options: SuspendOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const suspended = notedChange(tools, 'suspended', options.note);
  return withRegistry(tools, options, async (opened) => {
    const outcome = await changeStatus(opened, id, suspended);
    if (outcome.kind === 'not_listed') {
      const place = { where: opened.where, isThere: outcome.isThere };
      throw unlistedAssistant(id, place, ', so it is refused already');
    }
    const isChanged = outcome.kind === 'changed';
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
