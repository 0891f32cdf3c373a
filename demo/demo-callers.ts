import { existsSync } from 'node:fs';
import path from 'node:path';
import { LOOPBACK_NETWORKS } from '../src/parsing/ip-address.ts';
import { demoRegistry } from './assistants.ts';
import { writePrivately } from './private-files.ts';

/** What the service is started with, or nothing where somebody has configured who may call. */
export type DemoCallers = {
  readonly STAYWIRE_TRUSTED_NETWORKS?: string;
  readonly STAYWIRE_ASSISTANTS?: string;
};

/** The registry of the data folder, and what is gone by where that is gone. */
const REGISTRIES = ['assistants.json', 'assistants-in-force.json'];

/**
 * Who may call the demo: every program on this machine, unless somebody has configured who may. Those that name themselves an assistant of the
 * demo are counted as that assistant; so its registry opens the door to nobody else. It is of the demo alone: where there is a registry already,
 * that one counts, and a service that is started without the demo never sees this one.
 */
export function demoCallers(
  environment: Readonly<Record<string, string | undefined>>,
  demoDirectory: string,
): DemoCallers {
  const isSet = (name: string) => Boolean(environment[name]?.trim());
  if (isSet('STAYWIRE_ASSISTANTS') || isSet('STAYWIRE_TRUSTED_NETWORKS')) return {};
  const trusted = { STAYWIRE_TRUSTED_NETWORKS: LOOPBACK_NETWORKS.join(',') };
  const data = path.resolve(environment.STAYWIRE_DATA_DIR?.trim() || 'data');
  const hasRegistry = REGISTRIES.some((name) => existsSync(path.join(data, name)));
  if (hasRegistry || isSet('STAYWIRE_POSTGRES_URL')) return trusted;
  const file = path.join(demoDirectory, 'assistants.json');
  // Written once: who was suspended stays so.
  if (!existsSync(file)) writePrivately(file, demoRegistry());
  return { ...trusted, STAYWIRE_ASSISTANTS: file };
}
