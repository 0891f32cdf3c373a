import type { RegistryCopy } from './registry-copy.ts';

/** The registry was there once, and is not any more: what starts, commands and the log say of it alike. */
export function goneText(where: string): string {
  return `The registry of assistants is gone: there is none in ${where} any more.`;
}

export function howToGoOn({ path }: Pick<RegistryCopy, 'path'>): string {
  return `To put it back: staywire assistants store ${path}. To begin anew, delete that copy too, or store {"assistants": []} to answer nobody.`;
}
