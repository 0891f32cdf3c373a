import type { Line } from './fair-queue.ts';

/** Who spends an account's requests. Sessions cost nothing to open, so all of an address are one caller. */
export type AccountCaller = { readonly name: string; readonly assistant: string };

export function accountCaller(line: Line): AccountCaller | undefined {
  const [assistant, address = ''] = line;
  return assistant === undefined ? undefined : { name: `${assistant}\n${address}`, assistant };
}
