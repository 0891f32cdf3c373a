import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// That of knip: nothing but the files in deploy/ and the workflows is YAML here, which is not worth a dependency.
const { parse, parseAllDocuments } = createRequire(require.resolve('knip'))('yaml') as {
  parse(text: string, options: object): unknown;
  parseAllDocuments(text: string): readonly { toJS(): unknown; readonly errors: readonly Error[] }[];
};

/** With `<<`, as Compose reads it. */
export function readYaml(text: string): unknown {
  return parse(text, { merge: true });
}

export function readYamlDocuments(text: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJS();
  });
}
