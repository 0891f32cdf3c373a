import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Works through a list that others decide the length of. After every `perTurn` items the event loop gets a turn, so that
 * no list holds it for long; what follows a list that took several turns begins in one of its own.
 */
export async function inTurns<Item>(
  items: Iterable<Item>,
  perTurn: number,
  work: (item: Item) => void,
): Promise<void> {
  let left = perTurn;
  let tookSeveral = false;
  for (const item of items) {
    if (left === 0) {
      await nextTurn();
      left = perTurn;
      tookSeveral = true;
    }
    work(item);
    left -= 1;
  }
  if (tookSeveral) await nextTurn();
}
