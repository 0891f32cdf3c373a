import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

const RANGES = 'https://www.perplexity.com/perplexity-user.json';

export const perplexity: WellKnownAssistant = {
  id: 'perplexity',
  name: 'Perplexity',
  about:
    'Opens pages when somebody asks it to (Perplexity-User). In August 2025 it was reported to have visited sites under other names too; only requests under its own are recognised.',
  recognisedBy: [{ user_agent: 'Perplexity-User', ranges_url: RANGES }],
  snapshots: [
    {
      url: RANGES,
      takenAt: '2026-08-17',
      cidrs: ['18.97.21.0/30', '18.97.43.80/29', '34.193.163.52/32', '44.208.221.197/32'],
    },
  ],
};
