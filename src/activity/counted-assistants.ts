import type { AssistantId } from '../sessions/session.ts';

/** The owner's own trials, which say nothing about travellers. */
const OWNER: AssistantId = 'console';

export function isCounted(assistant: AssistantId): boolean {
  return assistant !== OWNER;
}
