import type { TestContext } from 'node:test';
import type { AssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import type { ActivityStore } from '../../src/analytics/activity-store.ts';
import type { Settings } from '../../src/app/settings.ts';
import type { NetworkFile } from '../../src/network/network-file.ts';
import type { OwnIdentity } from '../../src/outbound/signing.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { BrandControls } from '../../src/sync/brand-controls.ts';
import type { RecordAudit } from '../../src/telemetry/audit/audit-record.ts';
import { type Conversation, converse } from './conversation.ts';
import { brandEntry, networkFile, property } from './network.ts';
import { type ScriptedOperator, type ScriptedProperty, startScriptedOperator } from './scripted-operator.ts';
import { startTestService, type TestService } from './test-service.ts';

type BrandEntry = NetworkFile['brands'][number];
type BrandScript = {
  readonly properties: readonly ScriptedProperty[];
  readonly entry?: Partial<BrandEntry>;
  /** Members of its booking system’s entry beside the address. */
  readonly bookingSystem?: object;
  /** From the start, before it is read for the first time. */
  readonly misbehave?: ScriptedOperator['misbehave'];
};

export type Scene = {
  readonly service: TestService;
  readonly operators: Readonly<Record<string, ScriptedOperator>>;
  /** The operator of the first brand. */
  readonly operator: ScriptedOperator;
  open(source?: string | null): Promise<Conversation>;
};

/** Two houses in Lisbon, one of them with a pool, and one in Porto. */
export const ACME: BrandScript = {
  properties: [
    property('a'),
    property('b', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }),
    property('c', { place: 'porto-pt', location: 'Ribeira, Porto' }),
  ],
};

/** Starts operators and a service, and stops them after the test. */
export async function setScene(
  t: TestContext,
  {
    brands = { acme: ACME },
    network = {},
    ...options
  }: {
    readonly brands?: Readonly<Record<string, BrandScript>>;
    readonly network?: Partial<NetworkFile>;
    readonly settings?: Partial<Settings>;
    readonly registry?: AssistantRegistry;
    readonly storage?: Storage;
    readonly waitForStart?: boolean;
    readonly audit?: RecordAudit;
    readonly identity?: OwnIdentity;
    readonly controls?: BrandControls;
    readonly activity?: Pick<ActivityStore, 'add'>;
  } = {},
): Promise<Scene> {
  const operators: Record<string, ScriptedOperator> = {};
  const entries: BrandEntry[] = [];
  for (const [source, script] of Object.entries(brands)) {
    const operator = await startScriptedOperator();
    operator.properties = [...script.properties];
    operator.misbehave = script.misbehave ?? operator.misbehave;
    operators[source] = operator;
    const entry = brandEntry(source, operator.origin);
    const bookingSystem = { ...entry.booking_system, ...script.bookingSystem };
    entries.push({ ...entry, booking_system: bookingSystem, ...script.entry });
  }
  const service = await startTestService({ network: { ...networkFile(entries), ...network }, ...options });
  t.after(async () => {
    await service.close();
    await Promise.all(Object.values(operators).map((operator) => operator.close()));
  });
  const [operator] = Object.values(operators);
  if (!operator) throw new Error('a scene needs a brand');
  return { service, operators, operator, open: (source = null) => converse(service, source) };
}

/** Totals by reference; others cost 100. */
export function priced(totals: Readonly<Record<string, string>>): ScriptedOperator['quote'] {
  return (reference, { currency }) => ({
    property: reference,
    status: 'quoted',
    currency,
    total: totals[reference] ?? '100.00',
  });
}
