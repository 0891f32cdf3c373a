import { type DemoCallers, demoCallers } from './demo-callers.ts';
import type { DemoSettings } from './settings.ts';

/** What suits a demo unless it is set: outcomes within seconds. */
const DEMO_DEFAULTS = { STAYWIRE_BOOKINGS_SECONDS: '15' };

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
