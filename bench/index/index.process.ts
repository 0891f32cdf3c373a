import type { Day } from '../../src/stay/day.ts';
import { type InventorySource, inventoryFrom } from '../inventory/inventory-source.ts';
import { answerParent } from '../parent-line.ts';
import { type MeasuredIndex, measureIndex } from './measure-index.ts';

export type IndexOrder = MeasuredIndex & { readonly today: Day; readonly source: InventorySource };

/** An index in a process of its own, whose memory is then that of the index. */
answerParent(null, {
  measure: async (order) => {
    const { source, today, ...work } = order as IndexOrder;
    return measureIndex(await inventoryFrom(source, { seed: work.seed, today }), work);
  },
});
