import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type InventoryChanges,
  type InventoryStore,
  indexedHome,
} from '../../src/availability/inventory-store.ts';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import {
  type BrandId,
  listingDigest,
  type Property,
  type PropertyId,
} from '../../src/catalogue/catalogue.ts';
import type { Clock } from '../../src/clock.ts';
import { StorageFailure } from '../../src/sessions/storage-failure.ts';
import { loadedHome } from './loaded-home.ts';

/** How long a change takes to be noticed elsewhere, and how often is looked for changes anyway. */
const NOTICED_AFTER_MS = 300;
const LOOKED_FOR_EVERY_MS = 3000;
const WRITE_MS = 20;

export type SharedHome = {
  readonly property: Property;
  readonly read: { readonly calendar: Calendar; readonly readAt: number } | undefined;
};

type Change = {
  readonly node: string;
  readonly brand: BrandId;
  readonly properties: readonly PropertyId[];
  /** Its node knows that it was stored, and has it. */
  isAcknowledged: boolean;
};

/** A node as the shared store sees it. */
export type StoreNode = {
  readonly name: string;
  /** Does nothing any more once the node is dead. */
  readonly clock: Clock;
  readonly isDead: () => boolean;
  readonly isReachable: () => boolean;
  /** Stores what it is given, but its answer does not arrive. */
  readonly isDeaf: () => boolean;
};

/** A store that several nodes share, each with a copy of it that outlives the node. */
export function createSharedInventory(mayWrite: (node: StoreNode, brand: BrandId) => boolean) {
  const homes = new Map<PropertyId, SharedHome>();
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  const log: Change[] = [];
  const copies = new Map<string, { readonly homes: Map<PropertyId, SharedHome>; position: number }>();
  const notified = new Set<() => void>();

  function copyOf(name: string) {
    const copy = copies.get(name) ?? { homes: new Map<PropertyId, SharedHome>(), position: 0 };
    copies.set(name, copy);
    return copy;
  }

  function join(node: StoreNode): { readonly store: InventoryStore; readonly changes: InventoryChanges } {
    const { name, clock } = node;
    const copy = copyOf(name);
    const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

    function mustReach(): void {
      if (!node.isReachable()) throw new StorageFailure('unreachable', 'as the test wants');
    }

    async function write(brand: BrandId, change: () => readonly PropertyId[]): Promise<void> {
      await wait(WRITE_MS);
      mustReach();
      if (!mayWrite(node, brand)) throw new StorageFailure('refused', 'another node leads');
      const properties = change();
      const stored: Change = { node: name, brand, properties, isAcknowledged: false };
      if (properties.length > 0) log.push(stored);
      for (const notify of notified) notify();
      await wait(WRITE_MS);
      if (node.isDeaf()) throw new StorageFailure('unreachable', 'as the test wants');
      stored.isAcknowledged = true;
      take(properties);
    }

    /** Into the copy, in the latest state. */
    function take(properties: readonly PropertyId[]): void {
      for (const id of properties) {
        const home = homes.get(id);
        if (home) copy.homes.set(id, home);
        else copy.homes.delete(id);
      }
    }

    const store: InventoryStore = {
      async load(hand, isKnown = () => false) {
        for (const { property, read } of [...copy.homes.values()]) {
          if (!read) continue;
          const home = loadedHome(property, structuredClone(read.calendar), read.readAt);
          hand([isKnown(home) ? { ...home, content: null } : home]);
          await nextTurn();
        }
      },
      listings: {
        get: (id) => copy.homes.get(id)?.property,
        home(id) {
          const property = copy.homes.get(id)?.property;
          return property && { home: indexedHome(property), digest: listingDigest(property) };
        },
      },
      replaceCatalogue: (brand, catalogue) =>
        write(brand, () => {
          const remaining = new Set(catalogue.map(({ id }) => id));
          const ofBrand = [...homes].filter(([, { property }]) => property.brand === brand);
          const gone = ofBrand.map(([id]) => id).filter((id) => !remaining.has(id));
          for (const id of gone) homes.delete(id);
          const changed = catalogue.filter((property) => {
            const before = homes.get(property.id);
            return !before || listingDigest(before.property) !== listingDigest(property);
          });
          for (const property of changed) {
            homes.set(property.id, { property, read: homes.get(property.id)?.read });
          }
          return [...gone, ...changed.map(({ id }) => id)];
        }),
      async saveCalendars(calendars) {
        const [first] = calendars;
        if (!first) return;
        await write(first.property.slice(0, first.property.indexOf(':')), () => {
          const known = calendars.filter(({ property }) => homes.has(property));
          for (const { property, calendar, readAt } of known) {
            const home = homes.get(property);
            if (home) homes.set(property, { ...home, read: structuredClone({ calendar, readAt }) });
          }
          return known.map(({ property }) => property);
        });
      },
      async saveDocument(documentName, document) {
        await wait(WRITE_MS);
        mustReach();
        documents.set(documentName, document.slice());
      },
      async document(documentName) {
        mustReach();
        return documents.get(documentName)?.slice();
      },
      saveLearned: async () => {},
      learned: async () => undefined,
    };

    const changes: InventoryChanges = {
      follow(hand) {
        let isStopped = false;
        let cancelNext = () => {};
        let checkedAt = clock.elapsed();
        let pulling: Promise<void> | undefined;
        const canPull = () => !isStopped && !node.isDead() && node.isReachable();

        async function handOut({ node: writer, brand, properties, isAcknowledged }: Change): Promise<void> {
          if (writer === name && isAcknowledged) return;
          take(properties);
          const there = properties.flatMap((id) => homes.get(id) ?? []);
          await hand({
            brand,
            homes: there.flatMap(({ property, read }) =>
              read ? loadedHome(property, structuredClone(read.calendar), read.readAt) : [],
            ),
            removed: properties.filter((id) => !homes.has(id)),
          });
        }

        async function pullAll(): Promise<void> {
          while (canPull()) {
            const next = log[copy.position];
            if (!next) {
              checkedAt = clock.elapsed();
              return;
            }
            await handOut(next);
            copy.position += 1;
          }
        }

        function pull(): Promise<void> {
          pulling ??= pullAll().finally(() => {
            pulling = undefined;
          });
          return pulling;
        }

        function lookAgainIn(milliseconds: number): void {
          cancelNext();
          if (isStopped) return;
          cancelNext = clock.after(milliseconds, () => {
            void pull();
            lookAgainIn(LOOKED_FOR_EVERY_MS);
          });
        }

        const notify = () => lookAgainIn(NOTICED_AFTER_MS);
        notified.add(notify);
        notify();
        return {
          async caughtUp() {
            const target = log.length;
            while (canPull() && copy.position < target) await pull();
            if (!canPull()) throw new StorageFailure('unreachable', 'as the test wants');
          },
          ageMs: () => clock.elapsed() - checkedAt,
          async stop() {
            isStopped = true;
            notified.delete(notify);
            cancelNext();
            await pulling;
          },
        };
      },
    };
    return { store, changes };
  }

  return {
    homes: homes as ReadonlyMap<PropertyId, SharedHome>,
    join,
    /** Hands the last changes out again, as after a broken connection. */
    repeat(name: string, count: number): void {
      const copy = copyOf(name);
      copy.position = Math.max(0, copy.position - count);
    },
  };
}
