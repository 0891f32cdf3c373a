import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';

const RANGES = 'https://claude.com/crawling/bots.json';
/** Where web fetch and the calls of MCP tools come from, "stable" by Anthropic's own page of addresses. */
const OUTBOUND = '160.79.104.0/21';

export const claude: WellKnownAssistant = {
  id: 'claude',
  name: 'Claude',
  about:
    'Opens addresses and calls tools when somebody asks it to (Claude-User). Its list is shared with its crawlers, which have other names.',
  recognisedBy: [
    { user_agent: 'Claude-User', ranges: [OUTBOUND] },
    { user_agent: 'Claude-User', ranges_url: RANGES },
  ],
  snapshots: [
    {
      url: RANGES,
      takenAt: '2026-08-18',
      cidrs: [
        '136.107.176.208/32',
        '16.58.26.69/32',
        '18.225.238.228/32',
        '18.227.226.255/32',
        '20.102.46.224/28',
        '20.64.57.208/28',
        '216.73.216.0/22',
        '34.11.34.31/32',
        '34.150.241.79/32',
        '34.162.191.81/32',
        '34.162.230.222/32',
        '34.162.244.71/32',
        '34.182.140.95/32',
        '34.182.161.143/32',
        '34.182.218.27/32',
        '34.182.220.85/32',
        '34.182.222.37/32',
        '34.182.225.167/32',
        '34.182.226.151/32',
        '34.182.226.221/32',
        '34.186.108.163/32',
        '34.85.172.162/32',
        '35.221.29.174/32',
        '35.245.175.129/32',
        '35.245.89.239/32',
        '40.124.101.48/28',
      ],
    },
  ],
};
