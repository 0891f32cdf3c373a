import type { EmulatedAnswer, EmulatedRequest } from './exchange.ts';
import type { EmulatedWorld } from './world.ts';

/** One transparent pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The pictures of the homes, and a page for each at `/homes/{reference}`; null for any other path. */
export function websiteAnswer(
  { path }: EmulatedRequest,
  world: EmulatedWorld,
  referenceOf: (id: number) => string,
): EmulatedAnswer | null {
  if (world.homes.some(({ images }) => images.some((image) => image.path === path))) {
    return { status: 200, headers: { 'content-type': 'image/png' }, body: PICTURE };
  }
  const home = world.homes.find(({ id }) => path === `/homes/${referenceOf(id)}`);
  if (!home) return null;
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><title>${home.name}</title><h1>${home.name}</h1>`,
  };
}
