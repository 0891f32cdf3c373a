import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { UsageFault } from './faults.ts';
import { shellOption } from './shell-command.ts';

const SOURCE = /^[a-z0-9-]{1,64}$/;

export function assertBrandName(
  brand: string,
  /** What stands before it on the command line. */
  option?: string,
): void {
  if (SOURCE.test(brand)) return;
  throw new UsageFault(
    [
      `${option === undefined ? shownText(brand) : shellOption(option, brand)} cannot be the name of a brand.`,
    ],
    'use lower-case letters, digits and hyphens; --name gives the name that travellers see',
  );
}

/** What a brand is called until somebody says otherwise: `harbor-homes` becomes `Harbor Homes`. */
export function titleOf(brand: string): string {
  return brand.replaceAll('-', ' ').replaceAll(/\b\p{L}/gu, (letter) => letter.toUpperCase());
}
