import assert from 'node:assert/strict';

/** Each path with its methods. Fastify prints a tree, in which a branch begins with what its parent ends with. */
export function routesIn(printed: string): Map<string, string> {
  const routes = new Map<string, string>();
  const parents: string[] = [];
  for (const line of printed.trimEnd().split('\n')) {
    const [, indent = '', part = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? [];
    assert.notEqual(part, '', `cannot read: ${line}`);
    const depth = indent.length / 4;
    const path = `${parents[depth - 1] ?? ''}${part}`;
    parents.splice(depth, parents.length, path);
    routes.set(path, methods.split(', ').sort().join(' '));
  }
  return routes;
}
