import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

const AGENTS = 'https://developers.google.com/static/crawling/ipranges/user-triggered-agents.json';
const FETCHERS = 'https://developers.google.com/static/crawling/ipranges/user-triggered-fetchers-google.json';

export const google: WellKnownAssistant = {
  id: 'google',
  name: 'Google agents',
  about:
    'Acts on the web for somebody who asked it to (Google-Agent), and reads the sources of a Gemini notebook. Some of its requests are signed, as an experiment.',
  recognisedBy: [
    { signature_agent: 'https://agent.bot.goog' },
    { user_agent: 'Google-Agent', ranges_url: AGENTS },
    { user_agent: 'Google-GeminiNotebook', ranges_url: FETCHERS },
  ],
  snapshots: [
    {
      url: AGENTS,
      takenAt: '2026-05-19',
      cidrs: [
        '2001:4860:c::/124',
        '2001:4860:c::10/124',
        '2001:4860:c::20/124',
        '2001:4860:c::30/124',
        '2001:4860:c::40/124',
        '2001:4860:c::50/124',
        '2001:4860:c::60/124',
        '2001:4860:c::70/124',
        '136.121.16.0/24',
        '136.121.24.0/21',
        '136.121.40.0/21',
        '136.122.0.0/16',
        '74.125.232.0/28',
        '74.125.232.112/28',
        '74.125.232.16/28',
        '74.125.232.32/28',
        '74.125.232.48/28',
        '74.125.232.64/28',
        '74.125.232.80/28',
        '74.125.232.96/28',
      ],
    },
  ],
};
