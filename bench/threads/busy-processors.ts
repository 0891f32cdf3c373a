import { cpus } from 'node:os';

/** How long all processors of the machine together have worked, whoever for, in microseconds. */
export function busyTime(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) * 1000;
}
