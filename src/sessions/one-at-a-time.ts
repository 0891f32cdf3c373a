/** Runs work for the same key one at a time, in order of arrival. Different keys run concurrently. */
export type OneAtATime = <T>(
  key: string,
  work: (turn: { readonly waited: boolean }) => Promise<T>,
) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key);
    const afterWaiting = () => work({ waited: true });
    const mine = before ? before.then(afterWaiting, afterWaiting) : work({ waited: false });
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };
}
