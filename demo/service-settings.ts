import { type DemoCallers, demoCallers } from './demo-callers.ts';
import type { DemoSettings } from './settings.ts';

/** What suits a demo and nobody has set: outcomes within seconds, and room for `npm run demo:traffic`, all of which comes from one address. */
const DEMO_DEFAULTS = { STAYWIRE_BOOKINGS_SECONDS: '15', STAYWIRE_RATE_LIMIT: '6000' };

/** What the service and the commands beside it are started with, on top of what is set. */
export function demoServiceSettings(
  environment: Readonly<Record<string, string | undefined>>,
  { networkFile, dataDirectory }: Pick<DemoSettings, 'networkFile' | 'dataDirectory'>,
): Readonly<Record<string, string>> & DemoCallers {
  return {
    ...Object.fromEntries(Object.entries(DEMO_DEFAULTS).filter(([name]) => !environment[name]?.trim())),
    STAYWIRE_NETWORK: networkFile,
    // The operators of the demo are on this machine.
    STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8,::1',
    ...demoCallers(environment, dataDirectory),
  };
}
