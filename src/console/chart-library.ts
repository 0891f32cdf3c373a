import { readFileSync } from 'node:fs';

const manifest = import.meta.resolve('uplot/package.json');

/** The two files of uPlot that are served, unchanged. Read on the first request. */
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
