import type { ConnectorCost, WorkCost } from './measure-connector.ts';

export function reportConnector({ name, kind, homes, quotes, priced, synchronised }: ConnectorCost): string {
  return [
    `\n${name} (${kind}), µs of processor for each property`,
    line(`${quotes} priced`, priced),
    line(`${homes} synchronised`, synchronised),
  ].join('\n');
}

function line(work: string, { calls, bytes, connector, bare, spread }: WorkCost): string {
  const own = `  ${work.padEnd(17)}${micros(connector)}`;
  if (bare === null || spread === null) return `${own}, nothing is called`;
  const [lowest, highest] = spread.map((ratio) => ratio.toFixed(1));
  const kilobytes = Math.round(bytes / 1000).toLocaleString('en');
  return (
    `${own}, bare calls ${micros(bare)}, ratio ${(connector / bare).toFixed(1)} ` +
    `(single slices ${lowest} to ${highest}); ${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'}, ${kilobytes} kB`
  );
}

function micros(microseconds: number): string {
  return `${microseconds.toLocaleString('en', { maximumFractionDigits: 0 }).padStart(6)} µs`;
}
