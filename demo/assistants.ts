import { existsSync } from 'node:fs';
import path from 'node:path';
import { LOOPBACK_NETWORKS } from '../src/parsing/ip-address.ts';
import { writePrivately } from './private-files.ts';

/** The invented assistants that `npm run demo:traffic` plays, and how the service recognises them. */
export type DemoAssistant = {
  readonly id: string;
  readonly name: string;
  /** The product name in its User-Agent. */
  readonly token: string;
  /** Requests in a window; null for no limit. */
  readonly maxRequests: number | null;
};

export const DEMO_ASSISTANTS = {
  juniper: { id: 'juniper', name: 'Juniper', token: 'Juniper-Demo', maxRequests: null },
  marlow: { id: 'marlow', name: 'Marlow', token: 'Marlow-Demo', maxRequests: null },
  pepper: { id: 'pepper', name: 'Pepper', token: 'Pepper-Demo', maxRequests: null },
  quill: { id: 'quill', name: 'Quill', token: 'Quill-Demo', maxRequests: null },
  dash: { id: 'dash', name: 'Dash', token: 'Dash-Demo', maxRequests: 300 },
} as const satisfies Record<string, DemoAssistant>;

/** The registry that approves them for calls from this machine, so that no other caller is recognised as one of them. */
export function demoRegistry(): object {
  return {
    assistants: Object.values(DEMO_ASSISTANTS).map(({ id, name, token, maxRequests }) => ({
      id,
      name: `${name} (demo)`,
      status: 'approved',
      recognised_by: [{ user_agent: token, ranges: ['127.0.0.1'] }],
      ...(maxRequests !== null && { limits: { requests: maxRequests } }),
    })),
  };
}

/** Settings for the start of the service; empty where the owner has configured who may call. */
export type DemoCallers = {
  readonly STAYWIRE_TRUSTED_NETWORKS?: string;
  readonly STAYWIRE_ASSISTANTS?: string;
};

/** The registry of the data folder, and the copy that replaces a lost one. */
const REGISTRIES = ['assistants.json', 'assistants-in-force.json'];

/**
 * Every program on this machine may call the demo, unless the owner has configured who may. A program that names itself an assistant of the
 * demo is counted as that assistant; the registry admits no other caller. The registry belongs to the demo: an existing registry has
 * precedence, and a service that is started without the demo never reads this one.
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
  // Written once, so that a suspended assistant stays suspended.
  if (!existsSync(file)) writePrivately(file, demoRegistry());
  return { ...trusted, STAYWIRE_ASSISTANTS: file };
}
