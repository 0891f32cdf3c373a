import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer } from '../exchange.ts';
import type { EmulatedHome } from '../homes.ts';

export type Beds24Listing = {
  readonly type: string;
  readonly homes: readonly EmulatedHome[];
  readonly pageSize: number;
  readonly describe: (home: EmulatedHome) => object;
};

/** Only the homes of the page are described. */
export function beds24Page(
  request: EmulatedRequest,
  { type, homes, pageSize, describe }: Beds24Listing,
): EmulatedAnswer {
  const page = Number(request.query.get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1) return beds24Failure(400, 'page is not valid');
  const data = homes.slice((page - 1) * pageSize, page * pageSize).map(describe);
  const nextPageExists = page * pageSize < homes.length;
  return jsonAnswer(200, {
    success: true,
    type,
    count: data.length,
    pages: { nextPageExists },
    data,
  });
}

export function beds24Failure(
  code: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): EmulatedAnswer {
  return jsonAnswer(code, { success: false, type: 'error', code, error }, headers);
}

/** A list is written as a name that is repeated, with or without brackets. */
export function valuesIn({ query }: EmulatedRequest, name: string): string[] {
  return [...query.getAll(name), ...query.getAll(`${name}[]`)];
}

export function numbersIn(request: EmulatedRequest, name: string): number[] {
  return valuesIn(request, name).map(Number);
}
