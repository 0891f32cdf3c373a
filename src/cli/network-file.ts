import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { type LockWait, whileLocked } from '../parsing/file-lock.ts';
import { readJsonFile } from '../parsing/read-file.ts';
import { replaceFile } from '../parsing/replace-file.ts';
import { shellOption, UsageFault } from './faults.ts';

const FORMATTING = { insertSpaces: true, tabSize: 2, insertFinalNewline: true };

/** The parts of a network file that commands read. */
export type NetworkDocument = {
  readonly text: string;
  readonly places: readonly PlaceInFile[];
  readonly brands: readonly BrandInFile[];
};
export type PlaceInFile = { readonly id: string } & Readonly<Record<string, unknown>>;
export type BrandInFile = { readonly source: string } & Readonly<Record<string, unknown>>;

export function readNetworkDocument(path: string): NetworkDocument {
  const reading = readJsonFile(path);
  if (reading.kind === 'invalid') {
    throw new UsageFault(
      reading.faults.map((fault) => `${path} ${fault}.`),
      'mend it there, or name another file with --network; staywire init writes a new one',
    );
  }
  const { value } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageFault([`${path} is not a network file.`], 'see docs/network-file.md');
  }
  const listOf = (name: string): readonly object[] => {
    const list: unknown = Reflect.get(value, name);
    // An invalid entry keeps its place, because edits address entries by their index.
    return Array.isArray(list) ? list.map((entry) => (isPlainObject(entry) ? entry : {})) : [];
  };
  return {
    // Some editors begin a file with a byte order mark, which JSON does not allow.
    text: readFileSync(path, 'utf8').replace(/^\uFEFF/, ''),
    places: listOf('places') as PlaceInFile[],
    brands: listOf('brands') as BrandInFile[],
  };
}

/** Adds or replaces one brand. Comments and the order of everything else stay as they are. */
export function withBrand(document: NetworkDocument, brand: BrandInFile): string {
  const { text, brands } = document;
  const at = brands.findIndex(({ source }) => source === brand.source);
  if (at < 0) return edited(text, ['brands', brands.length], brand, true);
  return differences(brands[at], brand, ['brands', at]).reduce(
    (changed, { path, value }) => edited(changed, path, value, false),
    text,
  );
}

type Difference = { readonly path: JSONPath; readonly value: unknown };

/** Member by member, so that comments beside unchanged members stay. A removed member has the value undefined. */
function differences(before: unknown, after: unknown, path: JSONPath): readonly Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isPlainObject(before) || !isPlainObject(after)) return [{ path, value: after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differences(before[name], after[name], [...path, name]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function edited(text: string, path: JSONPath, value: unknown, isInsertion: boolean): string {
  return applyEdits(
    text,
    modify(text, path, value, { formattingOptions: FORMATTING, isArrayInsertion: isInsertion }),
  );
}

/**
 * Reads the file again, changes it and writes it under a lock: the owner may have edited it since the command began, and two commands may end at
 * the same moment. False when the text is the same afterwards.
 */
export function changeNetworkFile(
  path: string,
  wait: LockWait,
  change: (document: NetworkDocument) => string,
): Promise<boolean> {
  return whileLocked(path, wait, () => {
    const document = readNetworkDocument(path);
    const text = change(document);
    replaceFile(path, text);
    return text !== document.text;
  });
}

/** A placeholder for hosts that are not known yet. */
const NO_HOST = 'nowhere.invalid';

type Website = { readonly hosts: readonly string[]; readonly stayUrl: string | undefined };

/** The hosts and the stay address that the brand has in the file already. */
export function websiteBefore(brand: BrandInFile | undefined): Website {
  const { hosts, stay_url } = Object(brand?.website);
  return {
    hosts: Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string' && host !== NO_HOST) : [],
    stayUrl: typeof stay_url === 'string' ? stay_url : undefined,
  };
}

/** The names of cities that the entry maps to places. */
export function placesBefore(brand: BrandInFile | undefined): Readonly<Record<string, unknown>> {
  return { ...(brand?.places as Readonly<Record<string, unknown>> | undefined) };
}

/** Replaces the hosts, and the stay address if one is given; other members of the website stay. */
export function withWebsite(brand: BrandInFile, { hosts, stayUrl }: Website): BrandInFile {
  return {
    ...brand,
    website: {
      ...(brand.website as object | undefined),
      hosts: hosts.length > 0 ? hosts : [NO_HOST],
      ...(stayUrl === undefined ? {} : { stay_url: stayUrl }),
    },
  };
}

/** Adds the operator's names of cities to the places that the entry maps already. */
export function withPlaces(brand: BrandInFile, aliases: Readonly<Record<string, string>>): BrandInFile {
  const places = { ...placesBefore(brand), ...aliases };
  return Object.keys(places).length > 0 ? { ...brand, places } : brand;
}

const SOURCE = /^[a-z0-9-]{1,64}$/;

export function assertBrandName(
  brand: string,
  /** The option that gave it; left out for an argument. */
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

/** The default name of a brand: `harbor-homes` becomes `Harbor Homes`. */
export function titleOf(brand: string): string {
  return brand.replaceAll('-', ' ').replaceAll(/\b\p{L}/gu, (letter) => letter.toUpperCase());
}
