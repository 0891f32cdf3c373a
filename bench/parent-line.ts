/** The messages between `startChild` and a child process, which reports that it is ready and then answers requests by name. */
export type ParentRequest = { readonly id: number; readonly name: string; readonly argument: unknown };
export type ChildMessage = { readonly ready: unknown } | { readonly id: number; readonly value: unknown };

type Answers = Readonly<Record<string, (argument: unknown) => unknown>>;

export function answerParent(ready: unknown, answers: Answers): void {
  process.on('message', async ({ id, name, argument }: ParentRequest) => {
    const value = await answers[name]?.(argument);
    send({ id, value });
  });
  // Ends with its parent, even if that crashed.
  process.once('disconnect', () => process.exit());
  send({ ready });
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

/** Processor time of all threads of this process, in microseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
