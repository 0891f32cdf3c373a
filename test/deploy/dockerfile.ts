import { matchesGlob } from 'node:path';
import { deployedFile } from './deployed-files.ts';

type Stage = {
  readonly name: string;
  readonly base: string;
  /** What it takes from the checkout. */
  readonly copied: readonly { readonly sources: readonly string[]; readonly to: string }[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
};

/** The stages of deploy/Dockerfile, as far as the tests need them. */
export function readDockerfile(): readonly Stage[] {
  const text = deployedFile('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ');
  return text
    .split(/^(?=FROM )/m)
    .filter((part) => part.startsWith('FROM '))
    .map(readStage);
}

function readStage(text: string): Stage {
  const [, base = '', name = ''] = /^FROM (\S+)(?: AS (\S+))?/.exec(text) ?? [];
  const arguments_ = (instruction: string) =>
    [...text.matchAll(new RegExp(`^${instruction} +(.*)$`, 'gm'))].map(([, rest = '']) => rest);
  const copies = arguments_('COPY').filter((rest) => !rest.startsWith('--from'));
  const variables = arguments_('ENV').flatMap((rest) => rest.split(' ').map((one) => one.split('=')));
  return {
    name,
    base,
    copied: copies.map((rest) => ({
      sources: rest.split(' ').slice(0, -1),
      to: rest.split(' ').at(-1) ?? '',
    })),
    environment: Object.fromEntries(variables),
    user: arguments_('USER').at(-1),
    command: JSON.parse(arguments_('CMD').at(-1) ?? '[]'),
    healthCheck: JSON.parse(/HEALTHCHECK .*?CMD (\[.*\])/.exec(text)?.[1] ?? '[]'),
  };
}

/** Whether a path of the checkout gets into the image at all. Of the rules of such a file, the last that fits decides. */
export function readDockerignore(): (path: string) => boolean {
  const lines = deployedFile('Dockerfile.dockerignore').split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => {
    let isIncluded = true;
    for (const pattern of patterns) {
      const isException = pattern.startsWith('!');
      const glob = isException ? pattern.slice(1) : pattern;
      const fits = [glob, `${glob}/**`].some((one) => matchesGlob(undotted(path), undotted(one)));
      if (fits) isIncluded = isException;
    }
    return isIncluded;
  };
}

/** Docker's `*` also stands for names that begin with a dot. */
function undotted(path: string): string {
  return path.replaceAll(/(?<=^|\/)\./g, 'dot-');
}
