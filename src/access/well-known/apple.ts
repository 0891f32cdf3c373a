import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

export const apple: WellKnownAssistant = {
  id: 'apple',
  name: 'Applebot',
  about: 'The crawler that Siri and Spotlight answer from: it follows links, nobody asks it a question.',
  recognisedBy: [
    { user_agent: 'Applebot', ranges_url: 'https://search.developer.apple.com/applebot.json' },
    { user_agent: 'Applebot', reverse_dns: ['applebot.apple.com'] },
  ],
  snapshots: [],
};
