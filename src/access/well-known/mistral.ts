import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

const RANGES = 'https://mistral.ai/mistralai-user-ips.json';

export const mistral: WellKnownAssistant = {
  id: 'mistral',
  name: 'Mistral',
  about: 'Opens pages for questions that somebody asks in its chat (MistralAI-User).',
  recognisedBy: [{ user_agent: 'MistralAI-User', ranges_url: RANGES }],
  snapshots: [
    {
      url: RANGES,
      takenAt: '2026-08-17',
      cidrs: ['20.240.160.1/32', '20.240.160.161/32', '20.240.194.83/32', '51.12.243.114/32'],
    },
  ],
};
