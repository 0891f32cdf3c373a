import { systemClock } from '../../src/clock.ts';
import { createAllowedAddresses } from '../../src/outbound/guarded-connector.ts';
import { createClientOpener } from '../../src/outbound/http-client.ts';

/** Tests call servers on this machine, which nobody else allows without being told to. */
export const LOOPBACK = ['127.0.0.0/8', '::1'] as const;

export const openLoopbackClient = createClientOpener({
  addresses: createAllowedAddresses(LOOPBACK),
  clock: systemClock,
});
