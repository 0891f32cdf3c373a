import { parseArgs } from 'node:util';
import { describeNetwork } from '../src/network/read-network.ts';
import { startMeasuredService } from './measured-service.ts';
import { networkFile } from './network.ts';
import { answerParent, processorTime } from './parent-line.ts';

/** The service over the booking systems whose addresses are its arguments. */
const { values: flags, positionals: origins } = parseArgs({
  allowPositionals: true,
  options: {
    // As in the settings, unless a row is about fewer.
    quotes: { type: 'string', default: '60' },
    /** Calls in flight at each booking system. */
    calls: { type: 'string', default: '8' },
    /** Of a node of a cluster. */
    postgres: { type: 'string' },
    redis: { type: 'string' },
  },
});
const reading = describeNetwork(networkFile(origins, Number(flags.calls)), { env: {}, directory: '.' });
if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));

const { origin, logLevel, answered, mainThreadTime, commandsSent } = await startMeasuredService({
  networkSettings: reading.value,
  maxQuotes: Number(flags.quotes),
  servers:
    flags.postgres !== undefined && flags.redis !== undefined
      ? { postgresUrl: flags.postgres, redisUrl: flags.redis }
      : null,
});

answerParent(origin, {
  processorTime,
  mainThreadTime,
  logLevel: (level) => logLevel(String(level)),
  answered,
  commandsSent,
});
