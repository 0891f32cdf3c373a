import { shellCommand } from './shell-command.ts';

/** What brings the homes of a brand in that is new in the network file. A service reads the file when it starts, and lets nobody else synchronise. */
export function nextStepFor(brand: string, isServing: boolean): string {
  return isServing ? 'restart the service' : shellCommand(['sync', brand]);
}
