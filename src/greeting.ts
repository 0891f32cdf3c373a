import type { AssistantRegistry } from './access/assistant-registry.ts';
import { PATHS } from './contract/vocabulary.ts';
import type { NetworkSettings } from './network/read-network.ts';

/** Printed once the service is up. */
export function greeting({
  origin,
  networkSettings,
  registry,
  metricsServer,
}: {
  readonly origin: string;
  readonly networkSettings: NetworkSettings;
  readonly registry: AssistantRegistry;
  readonly metricsServer: { readonly port: number } | null;
}): string {
  const { name, network } = networkSettings;
  const brands = [...network.brands.values()];
  const lines = [
    '',
    `Staywire serves ${name} on ${origin}`,
    `  sources     ${brands.map(({ id }) => id).join(', ')}`,
    `  assistants  ${registry.assistants.map((assistant) => assistant.id).join(', ')}`,
    ...(metricsServer ? [`  metrics     port ${metricsServer.port}`] : []),
    '',
    'Try it:',
    `  SESSION=$(curl -s -X POST ${origin}${PATHS.auth} | node -pe 'JSON.parse(fs.readFileSync(0)).session')`,
    `  curl -s "${origin}${PATHS.search}?session=$SESSION"`,
    `  curl -s "${origin}${PATHS.search}?session=$SESSION" -H 'content-type: application/json' -d '{"guests": 2}'`,
    '',
    '',
  ];
  return lines.join('\n');
}
