/** The child's end of `startChild`: says when it is ready, then answers what the parent asks for by name. */
export type ParentRequest = { readonly id: number; readonly name: string; readonly argument: unknown };
export type ChildMessage = { readonly ready: unknown } | { readonly id: number; readonly value: unknown };

type Answers = Readonly<Record<string, (argument: unknown) => unknown>>;

export function answerParent(ready: unknown, answers: Answers): void {
  process.on('message', async ({ id, name, argument }: ParentRequest) => {
    const value = await answers[name]?.(argument);
    send({ id, value });
  });
  // A parent that has died leaves no orphans behind.
  process.once('disconnect', () => process.exit());
  send({ ready });
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

/** Microseconds of processor time that all threads of this process have used. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
