import { counted } from './counted.ts';
import type { FoundHost } from './import/found-hosts.ts';
import { shellOption } from './shell-command.ts';

/** `www.harbor.example (pages of 3 homes, pictures of 3 homes)` */
export function describedHost({ host, pages, pictures }: FoundHost): string {
  return `${host} (${hostUses({ pages, pictures })})`;
}

/** For whoever has to decide once more. */
export function notRegistered(found: FoundHost): string {
  return `${describedHost(found)} is not registered, and what is on it is left out. Add it with\n${shellOption('--host', found.host)}`;
}

export function hostUses({ pages, pictures }: Pick<FoundHost, 'pages' | 'pictures'>): string {
  const uses = [
    ...(pages > 0 ? [`pages of ${counted(pages, 'home')}`] : []),
    ...(pictures > 0 ? [`pictures of ${counted(pictures, 'home')}`] : []),
  ];
  return uses.join(', ');
}
