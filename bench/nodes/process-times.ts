import { readFileSync } from 'node:fs';

/** The unit of /proc is a hundredth of a second on every Linux. */
const MICROSECONDS_A_TICK = 10_000;

type Times = { readonly parent: number; readonly own: number; readonly ofEndedChildren: number };

/** Processor time of a server and of its child processes, also of those that have ended, in microseconds. */
export function processorTimeOf(pid: number): number {
  const { own, ofEndedChildren } = timesOf(pid);
  return childrenOf(pid).reduce((sum, child) => sum + timeUnlessEnded(child), own + ofEndedChildren);
}

export function parentOf(pid: number): number {
  return timesOf(pid).parent;
}

function timesOf(pid: number): Times {
  return readTimes(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** The name of the program comes before, in brackets, and may have any character in it. */
export function readTimes(stat: string): Times {
  const [, parent, ...rest] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = rest.slice(9);
  return {
    parent: parent ?? 0,
    own: (user + system) * MICROSECONDS_A_TICK,
    ofEndedChildren: (childrensUser + childrensSystem) * MICROSECONDS_A_TICK,
  };
}

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

function timeUnlessEnded(pid: number): number {
  try {
    return timesOf(pid).own;
  } catch {
    return 0;
  }
}
