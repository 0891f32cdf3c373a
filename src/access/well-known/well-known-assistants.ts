import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

/** The assistants that an owner can approve by name. */
export const WELL_KNOWN_ASSISTANTS: readonly WellKnownAssistant[] = [];
