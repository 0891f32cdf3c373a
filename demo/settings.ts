import path from 'node:path';
import { invalid, type Reading, valid } from '../src/parsing/reading.ts';

export type DemoSettings = {
  /** Null when none is configured: then the default one, or any free one if that is taken. */
  readonly port: number | null;
  readonly steady: boolean;
  readonly dataDirectory: string;
  /** Where the network file is written for the service to read. */
  readonly networkFile: string;
};

export const DEFAULT_PORT = 8090;

/** By default the demo stores its data below the service's, so that copies with different data folders share nothing. */
export function readDemoSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Reading<DemoSettings> {
  const port = environment.STAYWIRE_DEMO_PORT || undefined;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    return invalid('STAYWIRE_DEMO_PORT must be a port number from 0 (any free port) to 65535');
  }
  const serviceData = environment.STAYWIRE_DATA_DIR?.trim() || 'data';
  const dataDirectory = path.resolve(environment.STAYWIRE_DEMO_DATA_DIR || path.join(serviceData, 'demo'));
  return valid({
    port: port === undefined ? null : Number(port),
    steady: environment.STAYWIRE_DEMO_STEADY === '1',
    dataDirectory,
    networkFile: path.resolve(environment.STAYWIRE_DEMO_NETWORK || path.join(dataDirectory, 'network.json')),
  });
}
