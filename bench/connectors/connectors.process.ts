import { answerParent } from '../parent-line.ts';
import type { RunningSystem } from './booking-systems.ts';
import { type MeasuredWork, measureConnector } from './measure-connector.ts';

/** The connectors with all that they use of the service, in a process that has nothing else to do. */
answerParent(null, {
  measure(argument) {
    const { system, work } = argument as { readonly system: RunningSystem; readonly work: MeasuredWork };
    return measureConnector(system, work);
  },
});
