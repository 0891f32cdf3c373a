import type { PlaceInFile } from './edit-network-file.ts';

/** What a place of the file goes by: its identifier, its name and its aliases. */
export function namesInFile({ id, name, aliases }: PlaceInFile): readonly string[] {
  return [id, name, ...(Array.isArray(aliases) ? aliases : [])].filter((one) => typeof one === 'string');
}

/** Case and accents make no difference between names. */
export function comparableName(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

/** An identifier that says what the place is called. */
export function freeSlug(name: string, isTaken: (id: string) => boolean): string {
  const plain =
    comparableName(name)
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'city';
  let slug = plain;
  for (let number = 2; isTaken(slug); number += 1) slug = `${plain}-${number}`;
  return slug;
}
