import { createSyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { startMeasuredService } from '../measured-service.ts';
import { answerParent } from '../parent-line.ts';
import { createSeededNetwork } from './seeded-network.ts';
import type { ServiceState, SoakOrder } from './soak-order.ts';

/** The service as its owner runs it, over a network from a seed. */
const order: SoakOrder = JSON.parse(process.argv[2] ?? '');
const { settings, updates } = createSeededNetwork(createSyntheticInventory(order), order);
const { origin, gauge } = await startMeasuredService({
  networkSettings: settings,
  // As in the settings.
  maxQuotes: 60,
  // So that sessions end as fast as others begin, long before the soak does.
  sessionMinutes: 1,
  maxSessions: 1_000_000,
});

answerParent(origin, {
  state: async (): Promise<ServiceState> => ({
    homes: await gauge('staywire_index_properties'),
    indexBytes: await gauge('staywire_index_bytes'),
    residentBytes: process.memoryUsage.rss(),
    updates: updates(),
  }),
});
