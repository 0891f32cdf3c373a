import { readFileSync } from 'node:fs';

const manifest = import.meta.resolve('uplot/package.json');

/** Two files of uPlot as its authors publish them; no other file of it is served. Read when they are asked for first. */
export const CHART_LIBRARY = {
  script: keptFile('dist/uPlot.iife.min.js'),
  style: keptFile('dist/uPlot.min.css'),
};

function keptFile(name: string): () => Buffer {
  let kept: Buffer | null = null;
  return () => {
    kept ??= readFileSync(new URL(name, manifest));
    return kept;
  };
}
