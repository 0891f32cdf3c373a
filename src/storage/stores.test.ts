import { describe } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openMemoryStorage } from './memory/storage.ts';
import { storageContract } from './storage.contract.ts';
import type { OpenStorage } from './storage.ts';
import { STORES } from './stores.ts';

/** What a new store takes: an opener and a line in the table. Like a database elsewhere, it answers a turn later. */
const openRemoteStorage: OpenStorage = async (options) => {
  const storage = await openMemoryStorage(options);
  return {
    sessions: answeringLater(storage.sessions),
    inventory: answeringLater(storage.inventory),
    activity: answeringLater(storage.activity),
    controls: answeringLater(storage.controls),
    outcomes: answeringLater(storage.outcomes),
    owner: answeringLater(storage.owner),
    rateWindows: answeringLater(storage.rateWindows),
    changes: storage.changes,
    leases: storage.leases,
    declineChannel: storage.declineChannel,
    waiting: () => storage.waiting(),
    writeFault: () => storage.writeFault(),
    checkWrites: () => storage.checkWrites(),
    bytes: () => storage.bytes(),
    readings: storage.readings,
    close: () => nextTurn().then(() => storage.close()),
  };
};

for (const [kind, openStorage] of Object.entries({ ...STORES, remote: openRemoteStorage })) {
  // That of many nodes needs servers: cluster/storage-contract.test.ts.
  if (kind !== 'cluster') describe(kind, () => storageContract(openStorage));
}

function answeringLater<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        await nextTurn();
        return Reflect.apply(method, target, args);
      };
    },
  });
}
