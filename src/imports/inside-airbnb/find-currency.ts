import { ImportFailure } from '../import-failure.ts';
import { openImportFiles } from '../import-files.ts';
import { currencyOfPrice } from './price.ts';
import { tableRows } from './table.ts';

/** The currency whose sign the first price has, in the listings or else in the calendar. */
export async function findCurrency({
  listings,
  calendar,
  signal,
}: {
  readonly listings: string;
  readonly calendar: string;
  readonly signal: AbortSignal | undefined;
}): Promise<string> {
  const files = await openImportFiles([listings, calendar], signal ? { signal } : {});
  for (const path of [listings, calendar]) {
    for await (const rows of tableRows(files.chunksOf(path), path, [])) {
      for (const row of rows) {
        const currency = row.fault ? undefined : currencyOfPrice(row.cell('price'));
        if (currency !== undefined) return currency;
      }
    }
  }
  throw new ImportFailure('no price has a sign that tells its currency: name the currency');
}
