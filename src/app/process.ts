import type { Assistant, AssistantRegistry } from '../access/registry/assistant-registry.ts';
import { MAX_CONSOLE_CONNECTIONS } from '../console/build-console.ts';
import { MCP_SERVER } from '../contract/mcp-server.ts';
import { fieldOrder } from '../contract/payload-fields.ts';
import { PATHS } from '../contract/vocabulary.ts';
import { type ExampleStay, type WholeStay, wholeStayExample } from '../contract/whole-stay.ts';
import type { NetworkSettings } from '../network/read-network.ts';
import { MAX_METRICS_CONNECTIONS } from '../telemetry/metrics-server.ts';

/** The part of the file descriptors that callers may use. The rest is for operators, the store and the log. */
const SHARE_OF_DESCRIPTORS = 0.75;
const OF_OTHER_PORTS = MAX_CONSOLE_CONNECTIONS + MAX_METRICS_CONNECTIONS;

/** The configured number, but no more than the limit of open files (`ulimit -n`) allows: without a descriptor a server cannot accept. */
export function affordableConnections(configured: number, maxOpenFiles = openFilesLimit()): number {
  return Math.min(
    configured,
    Math.max(1, Math.floor((maxOpenFiles - OF_OTHER_PORTS) * SHARE_OF_DESCRIPTORS)),
  );
}

/** Infinity where the system has no such limit. */
function openFilesLimit(): number {
  const report: unknown = process.report.getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

const CHECK_EVERY_MS = 250;

/**
 * npm passes a signal to the shell in which it runs a script, and many shells end without passing it on. A program that npm has
 * started therefore watches whether its parent has ended.
 */
export function whenNpmEnds(action: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, CHECK_EVERY_MS);
  timer.unref();
}

/** Printed once the service is up. */
export function greeting({
  origin,
  networkSettings,
  registry,
  trustedNetworks,
  publicUrl,
  metricsServer,
  consoleOrigin = null,
  exampleStay,
}: {
  readonly origin: string;
  readonly networkSettings: NetworkSettings;
  readonly registry: AssistantRegistry;
  readonly trustedNetworks: readonly string[] | null;
  readonly publicUrl: string | null;
  readonly metricsServer: { readonly port: number } | null;
  /** Null where there is no console. */
  readonly consoleOrigin?: string | null;
  readonly exampleStay: ExampleStay;
}): string {
  const { name, network } = networkSettings;
  const brands = [...network.brands.values()];
  const idsOf = (status: Assistant['status']) =>
    registry.assistants.filter((assistant) => assistant.status === status).map(({ id }) => id);
  const [approved, suspended] = [idsOf('approved'), idsOf('suspended')];
  const stay: WholeStay = {
    searchUrl: `${origin}${PATHS.search}`,
    session: '$SESSION',
    order: fieldOrder(['direct']),
    view: 'compact',
  };
  const lines = [
    '',
    `Staywire serves ${name} on ${origin}`,
    `  mcp         ${origin}${MCP_SERVER.path}`,
    `  docs        ${origin}/docs`,
    `  sources     ${brands.map(({ id }) => id).join(', ')}`,
    `  assistants  ${approved.join(', ') || 'nobody'}`,
    ...(suspended.length > 0 ? [`  suspended   ${suspended.join(', ')}`] : []),
    ...(trustedNetworks ? [`  trusted     every caller in ${trustedNetworks.join(', ')}`] : []),
    ...(publicUrl === null
      ? ['  addresses   relative; assistants on other machines need STAYWIRE_PUBLIC_URL']
      : []),
    ...(metricsServer ? [`  metrics     port ${metricsServer.port}`] : []),
    ...(consoleOrigin === null ? [] : [`  console     ${consoleOrigin}`]),
    '',
    ...(approved.length === 0 && !trustedNetworks
      ? ['Nobody is answered yet: staywire assistants list shows who is known, and approve lets one in.']
      : [
          howToBegin(registry, trustedNetworks),
          `  SESSION=$(curl -s ${origin}${PATHS.auth} | node -pe 'JSON.parse(fs.readFileSync(0)).session')`,
          `  curl -s "${wholeStayExample(stay, exampleStay)}"`,
        ]),
    '',
    '',
  ];
  return lines.join('\n');
}

function howToBegin({ assistants }: AssistantRegistry, trustedNetworks: readonly string[] | null): string {
  if (trustedNetworks) return 'Try it from there:';
  const ways = assistants.flatMap(({ status, recognisedBy }) => (status === 'approved' ? recognisedBy : []));
  return ways.every(({ kind }) => kind === 'signature')
    ? 'Nobody else is answered. One of these begins with, signed:'
    : 'Nobody else is answered. One of these begins with, from where it is recognised:';
}
