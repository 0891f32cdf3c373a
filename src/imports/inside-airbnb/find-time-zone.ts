import { openImportFiles } from '../import-files.ts';
import { tableRows } from './table.ts';

const DEGREES_OF_AN_HOUR = 15;
const LONGITUDE = /^-?\d{1,3}(?:\.\d+)?$/;

/**
 * The zone of the hour in which the first home lies, without summer time; undefined when no home says where it is. Clocks go by
 * borders, so it can be some hours from what they show there.
 */
export async function findTimeZone(listings: string, signal: AbortSignal): Promise<string | undefined> {
  const files = await openImportFiles([listings], { signal });
  for await (const rows of tableRows(files.chunksOf(listings), listings, [])) {
    for (const row of rows) {
      const longitude = row.fault ? '' : row.cell('longitude');
      if (LONGITUDE.test(longitude) && Math.abs(Number(longitude)) <= 180) return zoneAt(Number(longitude));
    }
  }
  return undefined;
}

/** These names count westwards: `Etc/GMT+5` is five hours behind. */
function zoneAt(longitude: number): string {
  const hours = Math.round(longitude / DEGREES_OF_AN_HOUR);
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
