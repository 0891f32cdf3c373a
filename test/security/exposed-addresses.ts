/** Who may use an address. */
export type Guard =
  /** The access gate: approved assistants, by any method, and 403 for everybody else. */
  | 'assistants'
  /** Open to all who name the service by a name of its own. */
  | 'everybody'
  /** Open under any name, as load balancers ask. */
  | 'everybody, any host'
  /** On a port of its own, which is for the owner to keep private: it listens on loopback unless it is told otherwise. */
  | 'own port'
  /** On the port of the console: the owner, who has signed in. Everybody else is sent to sign in. */
  | 'owner'
  /** The same port, for whoever wants to sign in. */
  | 'sign-in';

/**
 * Every address of a running service, by hand: one that appears and is not here fails a test, and so does one that lets in others than it
 * says. The folders of the reference page have the version or the digest of what is in them in place of `*`.
 */
export const SERVICE_ADDRESSES: readonly (readonly [path: string, methods: string, guard: Guard])[] = [
  ['/ai/v1/auth', 'GET POST', 'assistants'],
  ['/ai/v1/result', 'GET HEAD', 'assistants'],
  ['/ai/v1/schema', 'GET HEAD', 'assistants'],
  ['/ai/v1/search', 'GET POST', 'assistants'],
  ['/ai/v1/terms', 'GET HEAD', 'assistants'],
  ['/mcp', 'POST', 'assistants'],
  ['/', 'GET HEAD', 'everybody'],
  ['/.well-known/agent-skills/find-stays/SKILL.md', 'GET HEAD OPTIONS', 'everybody'],
  ['/.well-known/agent-skills/index.json', 'GET HEAD OPTIONS', 'everybody'],
  // Only where the network signs its own requests.
  ['/.well-known/http-message-signatures-directory', 'GET HEAD OPTIONS', 'everybody'],
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

/** The same for the console, which has a port of its own. */
export const CONSOLE_ADDRESSES: readonly (readonly [path: string, methods: string, guard: Guard])[] = [
  ['/sign-in', 'GET HEAD POST', 'sign-in'],
  ['/assets/console.css', 'GET HEAD', 'sign-in'],
  ['/', 'GET HEAD', 'owner'],
  ['/assets/console.js', 'GET HEAD', 'owner'],
  ['/assets/uplot.css', 'GET HEAD', 'owner'],
  ['/assets/uplot.js', 'GET HEAD', 'owner'],
  ['/assistants', 'GET HEAD', 'owner'],
  ['/assistants/:name/approve', 'GET HEAD POST', 'owner'],
  ['/assistants/:name/suspend', 'GET HEAD POST', 'owner'],
  ['/assistants/:table', 'GET HEAD', 'owner'],
  ['/demand', 'GET HEAD', 'owner'],
  ['/demand/:table', 'GET HEAD', 'owner'],
  ['/operators', 'GET HEAD', 'owner'],
  ['/operators/:name/pause', 'GET HEAD POST', 'owner'],
  ['/operators/:name/read', 'GET HEAD POST', 'owner'],
  ['/operators/:name/resume', 'GET HEAD POST', 'owner'],
  ['/operators/:table', 'GET HEAD', 'owner'],
  ['/outcomes', 'GET HEAD', 'owner'],
  ['/outcomes/:table', 'GET HEAD', 'owner'],
  ['/quotes', 'GET HEAD', 'owner'],
  ['/sign-out', 'POST', 'owner'],
  ['/today', 'GET HEAD', 'owner'],
  ['/today/:table', 'GET HEAD', 'owner'],
  ['/try', 'GET HEAD POST', 'owner'],
];
