/** Does work in the order of the calls, each after the one before has ended: none sees another half done, and one that fails does not stop the next. */
export function createSequence(): (work: () => Promise<void>) => Promise<void> {
  let previous: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = previous.then(work);
    previous = done.catch(() => undefined);
    return done;
  };
}
