import type { WellKnownAssistant } from './registry-file.ts';

const CHATGPT_RANGES = 'https://openai.com/chatgpt-user.json';
const CHATGPT_CONNECTORS = 'https://openai.com/chatgpt-connectors.json';
const CLAUDE_RANGES = 'https://claude.com/crawling/bots.json';
/** The source of web fetch and MCP tool calls, "stable" according to Anthropic's own page of addresses. */
const CLAUDE_OUTBOUND = '160.79.104.0/21';
const PERPLEXITY_RANGES = 'https://www.perplexity.com/perplexity-user.json';
const GOOGLE_AGENTS = 'https://developers.google.com/static/crawling/ipranges/user-triggered-agents.json';
const GOOGLE_FETCHERS =
  'https://developers.google.com/static/crawling/ipranges/user-triggered-fetchers-google.json';
const MISTRAL_RANGES = 'https://mistral.ai/mistralai-user-ips.json';
const BING_RANGES = 'https://www.bing.com/toolbox/bingbot.json';

/** docs/known-assistants.md has the facts and their sources. */
export const WELL_KNOWN_ASSISTANTS: readonly WellKnownAssistant[] = [
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    about:
      'Opens pages and calls tools when somebody asks it to (ChatGPT-User, openai-mcp). As an agent with a browser of its own it signs every request.',
    recognisedBy: [
      { signature_agent: 'https://chatgpt.com' },
      { user_agent: 'ChatGPT-User', ranges_url: CHATGPT_RANGES },
      { user_agent: 'openai-mcp', ranges_url: CHATGPT_CONNECTORS },
    ],
  },
  {
    id: 'claude',
    name: 'Claude',
    about:
      'Opens addresses and calls tools when somebody asks it to (Claude-User). Its list is shared with its crawlers, which have other names.',
    recognisedBy: [
      { user_agent: 'Claude-User', ranges: [CLAUDE_OUTBOUND] },
      { user_agent: 'Claude-User', ranges_url: CLAUDE_RANGES },
    ],
  },
  {
    id: 'perplexity',
    name: 'Perplexity',
    about:
      'Opens pages when somebody asks it to (Perplexity-User). In August 2025 it was reported to have visited sites under other names too; only requests under its own are recognised.',
    recognisedBy: [{ user_agent: 'Perplexity-User', ranges_url: PERPLEXITY_RANGES }],
  },
  {
    id: 'google',
    name: 'Google agents',
    about:
      'Acts on the web for somebody who asked it to (Google-Agent), and reads the sources of a Gemini notebook. Some of its requests are signed, as an experiment.',
    recognisedBy: [
      { signature_agent: 'https://agent.bot.goog' },
      { user_agent: 'Google-Agent', ranges_url: GOOGLE_AGENTS },
      { user_agent: 'Google-GeminiNotebook', ranges_url: GOOGLE_FETCHERS },
    ],
  },
  {
    id: 'mistral',
    name: 'Mistral',
    about: 'Opens pages for questions that somebody asks in its chat (MistralAI-User).',
    recognisedBy: [{ user_agent: 'MistralAI-User', ranges_url: MISTRAL_RANGES }],
  },
  {
    id: 'duckduckgo',
    name: 'DuckDuckGo AI',
    about: 'Opens pages for answers and for chats of DuckDuckGo (DuckAssistBot), and signs its requests.',
    recognisedBy: [
      { signature_agent: 'https://assistbot.duckduckgo.com' },
      { user_agent: 'DuckAssistBot', ranges_url: 'https://duckduckgo.com/duckassistbot.json' },
    ],
  },
  {
    id: 'apple',
    name: 'Applebot',
    about: 'The crawler that Siri and Spotlight answer from: it follows links, nobody asks it a question.',
    recognisedBy: [
      { user_agent: 'Applebot', ranges_url: 'https://search.developer.apple.com/applebot.json' },
      { user_agent: 'Applebot', reverse_dns: ['applebot.apple.com'] },
    ],
  },
  {
    id: 'bing',
    name: 'Bing',
    about:
      'The crawler whose index Copilot answers from: it follows links, nobody asks it a question. For Copilot itself nothing is published.',
    recognisedBy: [
      { user_agent: 'bingbot', ranges_url: BING_RANGES },
      { user_agent: 'bingbot', reverse_dns: ['search.msn.com'] },
    ],
  },
];
