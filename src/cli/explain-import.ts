import { CsvFailure } from '../parsing/csv.ts';
import { UsageFault } from './faults.ts';
import { ImportFailure } from './import/import-failure.ts';

/** Says of a file that cannot be imported what to do about it. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof ImportFailure || failure instanceof CsvFailure)
      throw new UsageFault([failure.message], 'nothing was written; mend the file, or name another');
    throw failure;
  }
}
