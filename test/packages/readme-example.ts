import { readFileSync } from 'node:fs';

const PAGE = new URL('../../src/client/README.md', import.meta.url);

/** The program on the page of the client. */
export function readmeExample(): string {
  const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1];
  if (example === undefined) throw new Error('the page of the client has no example');
  return example;
}
