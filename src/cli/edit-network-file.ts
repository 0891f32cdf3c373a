import { readFileSync } from 'node:fs';
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import { UsageFault } from './faults.ts';
import { replaceFile } from './write-file.ts';

const FORMATTING = { insertSpaces: true, tabSize: 2, insertFinalNewline: true };

/** The parts of a network file that commands look at; the rest is none of their business. */
export type NetworkDocument = {
  readonly text: string;
  readonly places: readonly PlaceInFile[];
  readonly brands: readonly BrandInFile[];
};
export type PlaceInFile = { readonly id: string } & Readonly<Record<string, unknown>>;
export type BrandInFile = { readonly source: string } & Readonly<Record<string, unknown>>;

export function readNetworkDocument(path: string): NetworkDocument {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageFault([`${path} cannot be read.`], 'write a network file with `staywire init`');
  }
  return documentOf(text, path);
}

function documentOf(text: string, path: string): NetworkDocument {
  const faults: ParseError[] = [];
  const value: unknown = parse(text, faults, { allowTrailingComma: true });
  if (faults.length > 0 || typeof value !== 'object' || value === null) {
    throw new UsageFault([`${path} is not valid JSON.`], 'run `staywire check` to see where');
  }
  const listOf = (name: string): readonly object[] => {
    const list: unknown = Reflect.get(value, name);
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'object' && entry !== null) : [];
  };
  return { text, places: listOf('places') as PlaceInFile[], brands: listOf('brands') as BrandInFile[] };
}

/** Adds places, and adds or replaces one brand. Comments and the order of everything else stay as they are. */
export function withBrand(
  document: NetworkDocument,
  brand: BrandInFile,
  places: readonly PlaceInFile[] = [],
): string {
  const known = new Set(document.places.map(({ id }) => id));
  let text = document.text;
  let placeCount = document.places.length;
  for (const place of places.filter(({ id }) => !known.has(id))) {
    text = edited(text, ['places', placeCount], place, true);
    placeCount += 1;
  }
  const at = document.brands.findIndex(({ source }) => source === brand.source);
  if (at < 0) return edited(text, ['brands', document.brands.length], brand, true);
  for (const [member, value] of Object.entries(brand))
    text = edited(text, ['brands', at, member], value, false);
  return text;
}

function edited(text: string, path: (string | number)[], value: unknown, isInsertion: boolean): string {
  return applyEdits(
    text,
    modify(text, path, value, { formattingOptions: FORMATTING, isArrayInsertion: isInsertion }),
  );
}

export function writeNetworkDocument(path: string, text: string): void {
  replaceFile(path, text);
}
