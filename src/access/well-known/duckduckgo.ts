import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

export const duckduckgo: WellKnownAssistant = {
  id: 'duckduckgo',
  name: 'DuckDuckGo AI',
  about: 'Opens pages for answers and for chats of DuckDuckGo (DuckAssistBot), and signs its requests.',
  recognisedBy: [
    { signature_agent: 'https://assistbot.duckduckgo.com' },
    { user_agent: 'DuckAssistBot', ranges_url: 'https://duckduckgo.com/duckassistbot.json' },
  ],
  snapshots: [],
};
