import path from 'node:path';

export type DemoSettings = {
  /** Null when none is configured: then the usual one, or any free one if that is taken. */
  readonly port: number | null;
  readonly steady: boolean;
  readonly dataDirectory: string;
  /** Where the network file is written for the service to read. */
  readonly networkFile: string;
};

export const USUAL_PORT = 8090;

export function readDemoSettings(environment: Readonly<Record<string, string | undefined>>): DemoSettings {
  const port = environment.STAYWIRE_DEMO_PORT || undefined;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new RangeError('STAYWIRE_DEMO_PORT must be a port number from 0 (any free port) to 65535');
  }
  const dataDirectory = path.resolve(environment.STAYWIRE_DEMO_DATA_DIR || 'data/demo');
  return {
    port: port === undefined ? null : Number(port),
    steady: environment.STAYWIRE_DEMO_STEADY === '1',
    dataDirectory,
    networkFile: path.resolve(environment.STAYWIRE_DEMO_NETWORK || path.join(dataDirectory, 'network.json')),
  };
}
