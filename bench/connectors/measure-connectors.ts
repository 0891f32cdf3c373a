import { LOAD_CORE, SERVER_CORE, startChild } from '../child.ts';
import type { RunningSystem } from './booking-systems.ts';
import type { ConnectorCost, MeasuredWork } from './measure-connector.ts';

/** Measures each connector after the other; `only` names one of them. */
export async function* measureConnectors({
  homes,
  only,
  ...work
}: MeasuredWork & {
  readonly homes: number;
  readonly only?: string | undefined;
}): AsyncGenerator<ConnectorCost> {
  const systems = await startChild<readonly RunningSystem[]>(
    './connectors/booking-systems.process.ts',
    LOAD_CORE,
    [String(homes)],
  );
  const connectors = await startChild<null>('./connectors/connectors.process.ts', SERVER_CORE);
  try {
    for (const system of systems.ready) {
      if (only !== undefined && system.kind !== only) continue;
      yield await connectors.ask<ConnectorCost>('measure', { system, work });
    }
  } finally {
    await connectors.close();
    await systems.close();
  }
}
