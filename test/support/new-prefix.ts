import { randomUUID } from 'node:crypto';

/** With which the keys of one test begin in a Redis that tests share. */
export function newPrefix(): string {
  return `test:${randomUUID()}`;
}
