import { readSettings, type Settings } from '../../src/app/settings.ts';

const reading = readSettings({ STAYWIRE_NETWORK: 'network.json' });
if (reading.kind === 'invalid') throw new Error(reading.faults.join('\n'));

/** What an owner gets who sets nothing but the network file. */
export const DEFAULT_SETTINGS: Settings = reading.value;
