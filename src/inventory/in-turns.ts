import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Works through a list that others decide the length of. After every `perTurn` items the event loop gets a turn, so that
 * no list holds it for long.
 */
export async function inTurns<Item>(
  items: Iterable<Item>,
  perTurn: number,
  work: (item: Item) => void,
): Promise<void> {
  let left = perTurn;
  for (const item of items) {
    if (left === 0) {
      await nextTurn();
      left = perTurn;
    }
    work(item);
    left -= 1;
  }
}
