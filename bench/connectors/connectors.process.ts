import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import type { Intake } from '../../src/connectors/shared/intake/intake.ts';
import { createIntakeThreads } from '../../src/connectors/shared/intake/intake-threads.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import { answerParent } from '../parent-line.ts';
import type { RunningSystem } from './booking-systems.ts';
import { networkWith } from './connected-system.ts';
import { type MeasuredWork, measureConnector } from './measure-connector.ts';

/** The connectors with all that they use of the service, in a process that has nothing else to do. */
const directory = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
const { inventory: store } = await openSqliteStorage({
  directory,
  rateRule: { limit: 1_000_000, windowMs: 60_000 },
});

/** One for all connectors, whose homes are in the same places. */
let intake: Intake | undefined;

answerParent(null, {
  measure(argument) {
    const { system, work } = argument as { readonly system: RunningSystem; readonly work: MeasuredWork };
    intake ??= createIntakeThreads({ places: networkWith(system).network.places, clock: systemClock });
    return measureConnector(system, work, { store, intake });
  },
});
