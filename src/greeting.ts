import type { AssistantRegistry } from './access/assistant-registry.ts';
import { PATHS } from './contract/vocabulary.ts';
import type { NetworkSettings } from './network/read-network.ts';
import { formatDay } from './stay/day.ts';

const DAY_MS = 86_400_000;
const DAYS_UNTIL_EXAMPLE = 30;
const EXAMPLE_NIGHTS = 3;

/** Printed once the service is up. */
export function greeting({
  origin,
  networkSettings,
  registry,
  metricsServer,
  now,
}: {
  readonly origin: string;
  readonly networkSettings: NetworkSettings;
  readonly registry: AssistantRegistry;
  readonly metricsServer: { readonly port: number } | null;
  readonly now: number;
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
    `  SESSION=$(curl -s ${origin}${PATHS.auth} | node -pe 'JSON.parse(fs.readFileSync(0)).session')`,
    `  curl -s "${origin}${PATHS.search}?session=$SESSION&${exampleStay(networkSettings, now)}"`,
    '',
    '',
  ];
  return lines.join('\n');
}

/** A stay in a city of the network, near enough that some home is likely to be free. */
function exampleStay({ network }: NetworkSettings, now: number): string {
  const cities = [...network.places.values()].filter(({ kind }) => kind === 'city');
  const arrival = Math.floor(now / DAY_MS) + DAYS_UNTIL_EXAMPLE;
  return new URLSearchParams({
    ...(cities[0] ? { destination: cities[0].id } : {}),
    check_in_day: formatDay(arrival),
    check_out: formatDay(arrival + EXAMPLE_NIGHTS),
    guests: '2',
    view: 'compact',
  }).toString();
}
