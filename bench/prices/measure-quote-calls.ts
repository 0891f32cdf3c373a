import { LOAD_CORE, SERVER_CORE, startChild } from '../child.ts';
import { median } from '../median.ts';
import { LAYERS, type Layer } from './quote-call-layers.ts';
import type { CallSlice } from './quote-calls.process.ts';

export type QuoteCallCost = {
  /** Microseconds of processor time a call: the median of the slices, and the lowest. */
  readonly layers: Readonly<Record<Layer, { readonly median: number; readonly lowest: number }>>;
  /** Of the service to bare calls: of the medians, and the lowest and highest of neighbouring slices. */
  readonly ratio: number;
  readonly spread: readonly [number, number];
};

const BRANDS = 4;
const AT_A_TIME = 200;
const DELAY_MS = 50;

/** What a quote call of five homes costs, layer by layer. The slices of all layers take turns. */
export async function measureQuoteCalls({
  slices,
  warmUpSlices,
  calls,
}: {
  readonly slices: number;
  readonly warmUpSlices: number;
  readonly calls: number;
}): Promise<QuoteCallCost> {
  const operators = await startChild<readonly string[]>('./prices/booking-systems.process.ts', LOAD_CORE, [
    String(BRANDS),
  ]);
  const asking = await startChild<null>('./prices/quote-calls.process.ts', SERVER_CORE, operators.ready);
  const used: Record<Layer, number[]> = { bare: [], client: [], system: [], service: [] };
  try {
    await operators.ask('delay', DELAY_MS);
    for (let turn = 0; turn < warmUpSlices + slices; turn += 1) {
      for (const layer of LAYERS) {
        const slice: CallSlice = { layer, calls, atATime: Math.min(AT_A_TIME, calls) };
        const microseconds = await asking.ask<number>('slice', slice);
        if (turn >= warmUpSlices) used[layer].push(microseconds);
      }
    }
  } finally {
    await asking.close();
    await operators.close();
  }
  const costOf = (layer: Layer) => ({ median: median(used[layer]), lowest: Math.min(...used[layer]) });
  const pairs = used.service.map((cost, turn) => cost / (used.bare[turn] ?? cost));
  return {
    layers: {
      bare: costOf('bare'),
      client: costOf('client'),
      system: costOf('system'),
      service: costOf('service'),
    },
    ratio: median(used.service) / median(used.bare),
    spread: [Math.min(...pairs), Math.max(...pairs)],
  };
}
