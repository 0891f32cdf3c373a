import { readFile } from 'node:fs/promises';
import type { AccessList } from '../access/access-list.ts';
import type { OwnerSettings } from '../access/owner-settings.ts';
import { registryFor } from '../access/registry/assistant-registry.ts';
import { changeNow, changeStatus, currentRegistry } from '../access/registry/change-registry.ts';
import { describeWay } from '../access/registry/recognition-ways.ts';
import type { RegisteredAssistants } from '../access/registry/registered-assistants.ts';
import type { WhoMayCall } from '../access/who-may-call.ts';
import type { MakeReport } from '../analytics/reports/report.ts';
import type { Listings } from '../availability/inventory-store.ts';
import type { Clock } from '../clock.ts';
import { buildConsole, type Console } from '../console/build-console.ts';
import type { ConsoleAssistants, ConsoleDeps } from '../console/console-routes.ts';
import { createAccountBehind } from '../console/owner-sessions.ts';
import type { NetworkSettings } from '../network/read-network.ts';
import type { Service } from './compose.ts';
import type { Settings } from './settings.ts';

/** The owner's console, as the program runs it. */
export type OpenedConsole = {
  /** Where it is reached. */
  readonly origin: string;
  close(): Promise<void>;
};

export type ConsoleParts = Pick<
  ConsoleDeps,
  'operators' | 'outcomes' | 'ledger' | 'audit' | 'random' | 'log'
> & {
  readonly makeReport: MakeReport;
  readonly owner: OwnerSettings;
  readonly registered: Pick<RegisteredAssistants, 'source' | 'where' | 'copy' | 'read'>;
  readonly whoMayCall: Pick<WhoMayCall, 'look'>;
  readonly service: Pick<Service, 'serveOperation'>;
  readonly listings: Pick<Listings, 'get'>;
  /** The current registry. */
  readonly accessList: () => Pick<AccessList, 'assistants'>;
  readonly networkSettings: Pick<NetworkSettings, 'network' | 'name'>;
  readonly clock: Clock;
};

/** Joins the console with the service beside it, and listens. Null where the settings want none, or there is nothing to join. */
export async function openConsole(
  {
    consolePort,
    consoleHost,
    trustedNetworks,
  }: Pick<Settings, 'consolePort' | 'consoleHost' | 'trustedNetworks'>,
  parts: ConsoleParts | null,
): Promise<OpenedConsole | null> {
  if (consolePort === null || parts === null) return null;
  const app = consoleOf(parts, consoleHost, trustedNetworks);
  const { port } = new URL(await app.listen({ host: consoleHost, port: consolePort }));
  return { origin: `http://${shownHost(consoleHost)}:${port || 80}`, close: () => app.close() };
}

function consoleOf(parts: ConsoleParts, host: string, trustedNetworks: Settings['trustedNetworks']): Console {
  const { owner, registered, whoMayCall, service, listings, accessList, networkSettings, clock, ...rest } =
    parts;
  const { network, name } = networkSettings;
  return buildConsole({
    ...rest,
    network: name,
    brands: [...network.brands.values()].map((brand) => ({ id: brand.id, name: brand.name })),
    placeName: (id) => network.places.get(id)?.name,
    homeName: (property) => listings.get(property)?.name,
    assistantName: (id) => accessList().assistants.find((one) => one.id === id)?.name,
    host,
    assistants: consoleAssistants(registered, { whoMayCall, trustedNetworks, clock }),
    serveOperation: (request) => service.serveOperation(request),
    password: {
      read: () => owner.get('console_password'),
      readNoticed: () => owner.get('noticed_console_password'),
      writeNoticed: (noticed) => owner.set('noticed_console_password', noticed),
    },
    accountBehind: createAccountBehind((path) => readFile(path, 'latin1')),
    clock,
  });
}

/** Lists the registry, and changes it as the commands do. */
export function consoleAssistants(
  registered: ConsoleParts['registered'],
  {
    whoMayCall,
    trustedNetworks,
    clock,
  }: Pick<ConsoleParts, 'whoMayCall'> &
    Pick<Settings, 'trustedNetworks'> & { readonly clock: Pick<Clock, 'now'> },
): ConsoleAssistants {
  const setStatus = async (id: string, status: 'approved' | 'suspended') => {
    const { kind } = await changeStatus(registered, id, changeNow({ clock }, status));
    // Apply the change here first: the next page shows the callers of this node.
    if (kind === 'changed') await whoMayCall.look();
    return kind;
  };
  return {
    async listed() {
      const { registry, entries } = await currentRegistry(registered);
      return registryFor(registry, trustedNetworks).assistants.map(({ id, name, status, recognisedBy }) => {
        const last = entries.find((entry) => entry.id === id)?.history?.at(-1);
        return {
          id,
          name,
          status,
          isListed: registry.assistants.some((one) => one.id === id),
          ways: recognisedBy.map(describeWay),
          lastChange: last ? { at: last.at, change: last.change, note: last.note ?? null } : null,
        };
      });
    },
    suspend: (id) => setStatus(id, 'suspended'),
    approve: (id) => setStatus(id, 'approved'),
  };
}

/** The host to open in a browser: `localhost` for an address that stands for all interfaces. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
