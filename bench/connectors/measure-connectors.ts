import { LOAD_CORE, SERVER_CORE, startChild } from '../child.ts';
import type { RunningSystem } from './booking-systems.ts';
import type { ConnectorCost, MeasuredWork } from './measure-connector.ts';

export type MeasuredConnectors = MeasuredWork & {
  readonly homes: number;
  /** The kind of the only connector to measure; undefined for all. */
  readonly only: string | undefined;
};

/** One connector after the other. */
export async function* measureConnectors({
  homes,
  only,
  ...work
}: MeasuredConnectors): AsyncGenerator<ConnectorCost> {
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
