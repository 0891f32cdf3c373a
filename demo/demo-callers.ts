import { LOOPBACK_NETWORKS } from '../src/reading/address.ts';

/** Who may call the demo: every program on this machine, unless somebody has configured who may. */
export function demoCallers(environment: Readonly<Record<string, string | undefined>>): {
  readonly STAYWIRE_TRUSTED_NETWORKS?: string;
} {
  const { STAYWIRE_ASSISTANTS, STAYWIRE_TRUSTED_NETWORKS } = environment;
  const isConfigured = [STAYWIRE_ASSISTANTS, STAYWIRE_TRUSTED_NETWORKS].some((text) => text?.trim());
  return isConfigured ? {} : { STAYWIRE_TRUSTED_NETWORKS: LOOPBACK_NETWORKS.join(',') };
}
