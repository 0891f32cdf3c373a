/** Who gets through a door. */
export type Guard =
  /** The access gate: approved assistants, by any method, and 403 for everybody else. */
  | 'assistants'
  /** Open to all who name the service by a name of its own. */
  | 'everybody'
  /** Open under any name, as load balancers ask. */
  | 'everybody, any host'
  /** On a port of its own, which is for the owner to keep private: it listens on loopback unless it is told otherwise. */
  | 'own port';

/**
 * Every door of a running service, by hand: one that appears and is not here fails a test, and so does one that lets in others than it
 * says. The folders of the reference page have the version or the digest of what is in them in place of `*`.
 */
export const DOORS: readonly (readonly [path: string, methods: string, guard: Guard])[] = [
  ['/ai/v1/auth', 'GET POST', 'assistants'],
  ['/ai/v1/result', 'GET HEAD', 'assistants'],
  ['/ai/v1/schema', 'GET HEAD', 'assistants'],
  ['/ai/v1/search', 'GET POST', 'assistants'],
  ['/ai/v1/terms', 'GET HEAD', 'assistants'],
  ['/mcp', 'POST', 'assistants'],
  ['/', 'GET HEAD', 'everybody'],
  ['/.well-known/agent-skills/find-stays/SKILL.md', 'GET HEAD OPTIONS', 'everybody'],
  ['/.well-known/agent-skills/index.json', 'GET HEAD OPTIONS', 'everybody'],
  ['/.well-known/ai-catalog.json', 'GET HEAD OPTIONS', 'everybody'],
  ['/.well-known/api-catalog', 'GET HEAD', 'everybody'],
  // Only where the network signs its own requests.
  ['/.well-known/http-message-signatures-directory', 'GET HEAD OPTIONS', 'everybody'],
  ['/.well-known/mcp/server-card.json', 'GET HEAD OPTIONS', 'everybody'],
  ['/.well-known/security.txt', 'GET HEAD', 'everybody'],
  ['/docs', 'GET HEAD', 'everybody'],
  ['/docs/*/reference.css', 'GET HEAD', 'everybody'],
  ['/docs/*/reference.js', 'GET HEAD', 'everybody'],
  ['/docs/*/swagger-ui-bundle.js', 'GET HEAD', 'everybody'],
  ['/docs/*/swagger-ui.css', 'GET HEAD', 'everybody'],
  ['/for-assistants', 'GET HEAD', 'everybody'],
  ['/llms.txt', 'GET HEAD', 'everybody'],
  ['/mcp/server-card', 'GET HEAD OPTIONS', 'everybody'],
  ['/openapi.json', 'GET HEAD', 'everybody'],
  ['/healthz', 'GET HEAD', 'everybody, any host'],
  ['/readyz', 'GET HEAD', 'everybody, any host'],
  ['/metrics', 'GET', 'own port'],
];
