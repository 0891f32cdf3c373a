import { changeRegistry, SECONDS_UNTIL_IN_FORCE } from '../../../access/registry/change-registry.ts';
import { withoutAssistant } from '../../../access/registry/edit-registry.ts';
import type { CliTools, CommandResult } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { unlistedAssistant } from '../../registry/unlisted-assistant.ts';
import { type RegistryCommandOptions, whenInForce, withRegistry } from '../../registry/with-registry.ts';
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
