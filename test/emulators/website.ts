import type { EmulatedAnswer, EmulatedRequest } from './exchange.ts';
import type { EmulatedHome } from './homes.ts';

/** One transparent pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The pictures of the homes, and a page for each at `/homes/{reference}`; null for any other path. */
export function createWebsite(homes: readonly EmulatedHome[], referenceOf: (id: number) => string) {
  const pictures = new Set(homes.flatMap(({ images }) => images.map(({ path }) => path)));
  const pages = new Map(homes.map((home) => [`/homes/${referenceOf(home.id)}`, home]));
  return ({ path }: EmulatedRequest): EmulatedAnswer | null => {
    if (pictures.has(path)) return { status: 200, headers: { 'content-type': 'image/png' }, body: PICTURE };
    const home = pages.get(path);
    if (!home) return null;
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `<!doctype html><title>${home.name}</title><h1>${home.name}</h1>`,
    };
  };
}
