import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mapConcurrently } from '../client.ts';
import { answerParent, processorTime } from '../parent-line.ts';
import { type Layer, openLayers } from './quote-call-layers.ts';

/** Quote calls, in a process that has nothing else to do. */
const layers = openLayers(process.argv.slice(2));
let asked = 0;
let held: Promise<unknown> = Promise.resolve();
let warnings = 0;
// Node warns of listeners that pile up.
process.on('warning', () => {
  warnings += 1;
});
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

export type CallSlice = { readonly layer: Layer; readonly calls: number; readonly atATime: number };

/** In bytes, of what is reachable. */
export type HeldMemory = { readonly heap: number; readonly outside: number; readonly warnings: number };

function ask(layer: Layer): Promise<void> {
  asked += 1;
  return layers.call[layer](asked);
}

answerParent(null, {
  /** Microseconds of processor time for each call. */
  async slice(argument) {
    const { layer, calls, atATime } = argument as CallSlice;
    const before = processorTime();
    await mapConcurrently(Array.from({ length: calls }), atATime, () => ask(layer));
    return (processorTime() - before) / calls;
  },
  /** Begins so many calls and does not wait for them. */
  hold(calls) {
    held = Promise.all(Array.from({ length: Number(calls) }, () => ask('service')));
    held.catch(() => undefined);
  },
  async release() {
    await held;
  },
  memory(): HeldMemory {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return { heap: heapUsed, outside: external, warnings };
  },
});
