import type { AssistantId } from './session.ts';

/** The id under which the owner tries the service in the console. */
export const CONSOLE: AssistantId = 'console';
