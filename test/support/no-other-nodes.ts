import { ONE_NODE } from '../../src/storage/memory/one-node.ts';
import type { OtherNodes } from '../../src/sync/synchroniser.ts';

/** For a synchroniser that works alone. */
export const NO_OTHER_NODES: OtherNodes = ONE_NODE;
