/** Counts the different things that are handled in each turn of the event loop, however fast or slow the machine is. */
export function createTurnCounter(): {
  handled(thing: unknown): void;
  /** While the work runs, the most of any turn. */
  mostDuring(work: () => Promise<unknown>): Promise<number>;
} {
  const inTurn = new Set<unknown>();
  return {
    handled: (thing) => void inTurn.add(thing),
    async mostDuring(work) {
      let most = 0;
      let isOver = false;
      const endTurn = () => {
        most = Math.max(most, inTurn.size);
        inTurn.clear();
        if (!isOver) setImmediate(endTurn);
      };
      inTurn.clear();
      setImmediate(endTurn);
      try {
        await work();
      } finally {
        isOver = true;
      }
      return Math.max(most, inTurn.size);
    },
  };
}

/** The same object, which tells whenever something of it is read. */
export function watched<Thing extends object>(thing: Thing, onRead: (thing: Thing) => void): Thing {
  return new Proxy(thing, {
    get(target, name, receiver) {
      onRead(target);
      return Reflect.get(target, name, receiver);
    },
  });
}

/** In how many turns of the event loop the work was divided. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return turns;
}
