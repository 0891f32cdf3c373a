import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

export const mistral: WellKnownAssistant = {
  id: 'mistral',
  name: 'Mistral',
  about: 'Opens pages for questions that somebody asks in its chat (MistralAI-User).',
  recognisedBy: [{ user_agent: 'MistralAI-User', ranges_url: 'https://mistral.ai/mistralai-user-ips.json' }],
  snapshots: [],
};
