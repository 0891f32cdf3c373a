import type { AssistantLimits } from '../../sessions/assistant-limits.ts';

/** What a report says of an assistant that is registered. */
export type ReportedAssistant = {
  readonly id: string;
  readonly name: string;
  readonly status: 'approved' | 'suspended';
  readonly limits?: AssistantLimits | undefined;
};
