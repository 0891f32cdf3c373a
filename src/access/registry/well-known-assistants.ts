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
    // Its lists change nearly every day: half of a list that is three months old may belong to others by now.
    snapshots: [],
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
    snapshots: [
      {
        url: CLAUDE_RANGES,
        takenAt: '2026-08-18',
        cidrs: listed(`
          136.107.176.208/32 16.58.26.69/32 18.225.238.228/32 18.227.226.255/32 20.102.46.224/28
          20.64.57.208/28 216.73.216.0/22 34.11.34.31/32 34.150.241.79/32 34.162.191.81/32
          34.162.230.222/32 34.162.244.71/32 34.182.140.95/32 34.182.161.143/32 34.182.218.27/32
          34.182.220.85/32 34.182.222.37/32 34.182.225.167/32 34.182.226.151/32 34.182.226.221/32
          34.186.108.163/32 34.85.172.162/32 35.221.29.174/32 35.245.175.129/32 35.245.89.239/32
          40.124.101.48/28
        `),
      },
    ],
  },
  {
    id: 'perplexity',
    name: 'Perplexity',
    about:
      'Opens pages when somebody asks it to (Perplexity-User). In August 2025 it was reported to have visited sites under other names too; only requests under its own are recognised.',
    recognisedBy: [{ user_agent: 'Perplexity-User', ranges_url: PERPLEXITY_RANGES }],
    snapshots: [
      {
        url: PERPLEXITY_RANGES,
        takenAt: '2026-08-17',
        cidrs: ['18.97.21.0/30', '18.97.43.80/29', '34.193.163.52/32', '44.208.221.197/32'],
      },
    ],
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
    snapshots: [
      {
        url: GOOGLE_AGENTS,
        takenAt: '2026-05-19',
        cidrs: listed(`
          2001:4860:c::/124 2001:4860:c::10/124 2001:4860:c::20/124 2001:4860:c::30/124
          2001:4860:c::40/124 2001:4860:c::50/124 2001:4860:c::60/124 2001:4860:c::70/124
          136.121.16.0/24 136.121.24.0/21 136.121.40.0/21 136.122.0.0/16 74.125.232.0/28
          74.125.232.112/28 74.125.232.16/28 74.125.232.32/28 74.125.232.48/28 74.125.232.64/28
          74.125.232.80/28 74.125.232.96/28
        `),
      },
    ],
  },
  {
    id: 'mistral',
    name: 'Mistral',
    about: 'Opens pages for questions that somebody asks in its chat (MistralAI-User).',
    recognisedBy: [{ user_agent: 'MistralAI-User', ranges_url: MISTRAL_RANGES }],
    snapshots: [
      {
        url: MISTRAL_RANGES,
        takenAt: '2026-08-17',
        cidrs: ['20.240.160.1/32', '20.240.160.161/32', '20.240.194.83/32', '51.12.243.114/32'],
      },
    ],
  },
  {
    id: 'duckduckgo',
    name: 'DuckDuckGo AI',
    about: 'Opens pages for answers and for chats of DuckDuckGo (DuckAssistBot), and signs its requests.',
    recognisedBy: [
      { signature_agent: 'https://assistbot.duckduckgo.com' },
      { user_agent: 'DuckAssistBot', ranges_url: 'https://duckduckgo.com/duckassistbot.json' },
    ],
    snapshots: [],
  },
  {
    id: 'apple',
    name: 'Applebot',
    about: 'The crawler that Siri and Spotlight answer from: it follows links, nobody asks it a question.',
    recognisedBy: [
      { user_agent: 'Applebot', ranges_url: 'https://search.developer.apple.com/applebot.json' },
      { user_agent: 'Applebot', reverse_dns: ['applebot.apple.com'] },
    ],
    snapshots: [],
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
    snapshots: [
      {
        url: BING_RANGES,
        takenAt: '2026-05-18',
        cidrs: listed(`
          157.55.39.0/24 207.46.13.0/24 40.77.167.0/24 13.66.139.0/24 13.66.144.0/24 52.167.144.0/24
          13.67.10.16/28 13.69.66.240/28 13.71.172.224/28 139.217.52.0/28 191.233.204.224/28
          20.36.108.32/28 20.43.120.16/28 40.79.131.208/28 40.79.186.176/28 52.231.148.0/28
          20.79.107.240/28 51.105.67.0/28 20.125.163.80/28 40.77.188.0/22 65.55.210.0/24 199.30.24.0/23
          40.77.202.0/24 40.77.139.0/25 20.74.197.0/28 20.15.133.160/27 40.77.177.0/24 40.77.178.0/23
        `),
      },
    ],
  },
];

function listed(cidrs: string): readonly string[] {
  return cidrs.trim().split(/\s+/);
}
