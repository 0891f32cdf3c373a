import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { KEY_DIRECTORY_PATH } from '../../outbound/key-directory.ts';

/** Name of the skill, and of its folder: the format wants them to be the same. */
export const SKILL_NAME = 'find-stays';

export const DISCOVERY_PATHS = {
  openApi: '/openapi.json',
  reference: '/docs',
  llms: '/llms.txt',
  /** Every refusal leads there. */
  guide: '/for-assistants',
  apiCatalog: '/.well-known/api-catalog',
  aiCatalog: '/.well-known/ai-catalog.json',
  serverCard: `${MCP_SERVER.path}/server-card`,
  /** Where directories looked before the place above was settled, and still look. */
  wellKnownServerCard: '/.well-known/mcp/server-card.json',
  skillIndex: '/.well-known/agent-skills/index.json',
  skill: `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`,
  security: '/.well-known/security.txt',
  keyDirectory: KEY_DIRECTORY_PATH,
} as const;

/** Whole where the public address is known, else a path. */
export function addressAt(publicUrl: string | null, path: string): string {
  return `${publicUrl ?? ''}${path}`;
}
