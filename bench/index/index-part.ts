import { SERVER_CORE, startChild } from '../child.ts';
import type { InventorySource } from '../inventory/inventory-source.ts';
import type { IndexOrder } from './index.process.ts';
import type { IndexCosts, MeasuredIndex } from './measure-index.ts';

/** The process has to hold a million homes. */
const NODE_OPTIONS = ['--expose-gc', '--max-old-space-size=12288'];

/** Measures one inventory after the other, each in a process of its own. */
export async function* measureIndexes(
  sources: readonly InventorySource[],
  work: MeasuredIndex & Pick<IndexOrder, 'today'>,
): AsyncGenerator<IndexCosts> {
  for (const source of sources) {
    const child = await startChild<null>('./index/index.process.ts', SERVER_CORE, [], NODE_OPTIONS);
    try {
      yield await child.ask<IndexCosts>('measure', { ...work, source } satisfies IndexOrder);
    } finally {
      await child.close();
    }
  }
}
