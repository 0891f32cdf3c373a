import { mapConcurrently } from '../client.ts';
import { answerParent, processorTime } from '../parent-line.ts';
import { type Layer, openLayers } from './quote-call-layers.ts';

/** Quote calls, in a process that has nothing else to do. */
const layers = openLayers(process.argv.slice(2));
let asked = 0;

export type CallSlice = { readonly layer: Layer; readonly calls: number; readonly atATime: number };

answerParent(null, {
  /** Microseconds of processor time for each call. */
  async slice(argument) {
    const { layer, calls, atATime } = argument as CallSlice;
    const before = processorTime();
    await mapConcurrently(Array.from({ length: calls }), atATime, () => {
      asked += 1;
      return layers.call[layer](asked);
    });
    return (processorTime() - before) / calls;
  },
});
