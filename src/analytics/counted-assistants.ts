import { CONSOLE } from '../sessions/console-assistant.ts';
import type { AssistantId } from '../sessions/session.ts';

/** The owner's own trials say nothing about travellers. */
export function isCounted(assistant: AssistantId): boolean {
  return assistant !== CONSOLE;
}
