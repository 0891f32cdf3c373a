import type { Assistant, AssistantRegistry } from '../access/registry/assistant-registry.ts';
import { MCP_SERVER } from '../contract/mcp-server.ts';
import { fieldOrder } from '../contract/payload-fields.ts';
import { PATHS } from '../contract/vocabulary.ts';
import type { ExampleStay } from '../contract/whole-stay.ts';
import { type WholeStay, wholeStayExample } from '../contract/whole-stay.ts';
import type { NetworkSettings } from '../network/read-network.ts';

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
