import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createBenchReport } from './bench-report.ts';
import { circumstances } from './circumstances.ts';
import { drawCurves } from './curves.ts';
import { figure, notMeasured } from './figure.ts';
import { withGeneratedSection } from './generated-section.ts';
import { decades, exactly } from './log-scale.ts';
import { digits, duration } from './quantities.ts';
import { throughputAgainstConnections } from './scaling-pictures.ts';
import { loadSeries, type MeasuredLoad, throughputFigure } from './service-figures.ts';
import { markdownTable, plainTable } from './table.ts';

const FIGURES = [
  figure('full question', '80 µs', { p99: '120 µs', goal: 'at most 150 µs', isMet: true }),
  figure('SQLite | rows', '20 ms', {
    baseline: 'index 80 µs',
    ratio: '× 250',
    goal: 'at least 400',
    isMet: false,
  }),
  notMeasured('PostgreSQL', 'it is not installed'),
];

describe('quantities', () => {
  it('have units and as many digits as say something', () => {
    assert.deepEqual([0.0456, 4.567, 79.5, 150, 999.4, 2710, 100_000, 1_234_567].map(duration), [
      '0.046 µs',
      '4.57 µs',
      '79.5 µs',
      '150 µs',
      '999 µs',
      '2.71 ms',
      '100 ms',
      '1.23 s',
    ]);
    assert.deepEqual([100, 10, 0.5, 12_345.6, Number.NaN].map(digits), ['100', '10', '0.5', '12,346', '–']);
  });
});

describe('the table', () => {
  it('for a terminal has columns, and says what is met, missed and not measured', () => {
    assert.deepEqual(plainTable(FIGURES).split('\n'), [
      'what                                      figure     p99     baseline  ratio            goal',
      'full question                              80 µs  120 µs                      at most 150 µs  met',
      'SQLite | rows                              20 ms          index 80 µs  × 250    at least 400  MISSED',
      'PostgreSQL     NOT MEASURED: it is not installed',
    ]);
  });

  it('in Markdown escapes what would end a cell', () => {
    assert.deepEqual(markdownTable(FIGURES).split('\n'), [
      '| what | figure | p99 | baseline | ratio | goal |  |',
      '|---|---:|---:|---:|---:|---:|---|',
      '| full question | 80 µs | 120 µs |  |  | at most 150 µs | met |',
      '| SQLite \\| rows | 20 ms |  | index 80 µs | **× 250** | at least 400 | MISSED |',
      '| PostgreSQL | NOT MEASURED: it is not installed |  |  |  |  |  |',
    ]);
  });
});

describe('a generated section', () => {
  const document =
    'Before\n<!-- generated: one -->\nold\n<!-- end of generated -->\nAfter <!-- generated: two -->x<!-- end of generated -->';

  it('is replaced, and nothing else', () => {
    const once = withGeneratedSection(document, 'one', 'new');
    assert.equal(
      once,
      'Before\n<!-- generated: one -->\n\nnew\n\n<!-- end of generated -->\nAfter <!-- generated: two -->x<!-- end of generated -->',
    );
    assert.equal(withGeneratedSection(once, 'one', 'new'), once);
  });

  it('has to be there, once and with an end', () => {
    assert.throws(() => withGeneratedSection(document, 'three', ''), /no generated section "three"/);
    assert.throws(() => withGeneratedSection('<!-- generated: one -->', 'one', ''), /no generated section/);
    assert.throws(() => withGeneratedSection(document + document, 'one', ''), /two sections/);
  });
});

describe('the report of a run', () => {
  it('writes what it measured where the page has room for it, with the circumstances', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-report-'));
    try {
      mkdirSync(join(folder, 'docs/pictures'), { recursive: true });
      const page = join(folder, 'docs/benchmarks.md');
      const section = (name: string) =>
        `<!-- generated: ${name} -->\nold ${name}\n<!-- end of generated -->\n`;
      writeFileSync(page, `By hand\n${section('service')}${section('index')}${section('peers')}`);
      const report = createBenchReport(pathToFileURL(`${folder}/`));
      report.add('index', FIGURES.slice(0, 1), { file: 'curve.svg', alt: 'A curve', svg: '<svg/>' });
      assert.ok(report.isEveryGoalMet());
      report.add('service', FIGURES.slice(1));
      assert.ok(!report.isEveryGoalMet());
      assert.equal(report.table().split('\n').length, 4);
      report.write(['index', 'peers'], new Date(0));
      const written = readFileSync(page, 'utf8');
      assert.match(written, /^By hand\n/);
      assert.match(written, /\| full question \| 80 µs \|[\s\S]*!\[A curve\]\(pictures\/curve\.svg\)/);
      assert.match(written, /; 1970-01-01, commit \S/);
      assert.match(written, /old service/);
      assert.match(written, /old peers/);
      assert.equal(readFileSync(join(folder, 'docs/pictures/curve.svg'), 'utf8'), '<svg/>');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has its place on the page of the benchmarks', () => {
    const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
    for (const section of ['service', 'soak', 'index', 'peers']) {
      assert.ok(withGeneratedSection(page, section, 'new').includes('new'));
    }
  });

  it('names machine, Node, date and commit', () => {
    assert.match(
      circumstances(new Date('2027-05-01T12:00:00Z')),
      /^Node \d+\.\d+\.\d+, \d+ cores \(.+\), \d+ GiB, \w+; 2027-05-01, commit (unknown|[0-9a-f]{12}( with changes)?)\.$/,
    );
  });
});

describe('a logarithmic axis', () => {
  it('has a tick for each power of ten', () => {
    const axis = decades([3, 40_000], 0, 500);
    assert.deepEqual(axis.ticks, [1, 10, 100, 1000, 10_000, 100_000]);
    assert.deepEqual([1, 10, 100_000].map(axis.at).map(Math.round), [0, 100, 500]);
  });

  it('has finer ticks where there are few, and ends at those around the values', () => {
    assert.deepEqual(decades([900, 8000], 0, 1).ticks, [500, 1000, 2000, 5000, 10_000]);
    assert.deepEqual(decades([7, 7], 0, 1).ticks, [5, 10]);
  });

  it('can have the values as its ticks', () => {
    const axis = exactly([64, 1, 4, 4], 0, 300);
    assert.deepEqual(axis.ticks, [1, 4, 64]);
    assert.deepEqual(axis.ticks.map(axis.at).map(Math.round), [0, 100, 300]);
    assert.throws(() => exactly([0, 1], 0, 1), /above zero/);
  });
});

describe('a picture of curves', () => {
  const picture = drawCurves({
    title: 'Cost & size',
    description: 'Two <curves>',
    xTitle: 'homes',
    yTitle: 'µs',
    xText: String,
    yText: String,
    curves: [
      {
        name: 'one',
        points: [
          { x: 1, y: 10 },
          { x: 100, y: 1000 },
        ],
      },
      {
        name: 'other',
        points: [
          { x: 1, y: 20 },
          { x: 100, y: 1000 },
        ],
      },
    ],
  });

  it('is one SVG with escaped texts, titled axes and a style for dark pages', () => {
    assert.match(picture, /^<svg [\s\S]*<\/svg>\n$/);
    assert.match(picture, /<title id="t">Cost &amp; size<\/title><desc id="d">Two &lt;curves&gt;<\/desc>/);
    assert.match(picture, />homes<\/text>[\s\S]*>µs<\/text>/);
    assert.match(picture, /@media \(prefers-color-scheme: dark\)/);
    const opened = picture.match(/<[a-z]+/g)?.length ?? 0;
    const closed = picture.match(/\/>|<\/[a-z]+>/g)?.length ?? 0;
    assert.equal(opened, closed);
  });

  it('puts every point where its values are, and no two names on one line', () => {
    const [one, other] = [...picture.matchAll(/<polyline class="line c\d" points="([^"]+)"/g)].map(
      ([, points]) => points,
    );
    assert.equal(one, '96,430 690,64');
    assert.match(other ?? '', /^96,\d+(\.\d)? 690,64$/);
    assert.equal(picture.match(/<circle /g)?.length, 4);
    const lines = [...picture.matchAll(/<text class="name c\d" x="704" y="([\d.]+)"/g)].map(([, y]) =>
      Number(y),
    );
    assert.deepEqual(lines, [69, 89]);
  });

  it('keeps the names of curves that end at the bottom inside', () => {
    const flat = Array.from({ length: 4 }, (_, number) => ({
      name: `${number}`,
      points: [
        { connections: 1, requestsPerSecond: 1000 },
        { connections: 4, requestsPerSecond: 1 },
      ],
    }));
    const lines = [
      ...throughputAgainstConnections(flat).matchAll(/<text class="name c\d" x="704" y="([\d.]+)"/g),
    ];
    assert.deepEqual(
      lines.map(([, y]) => Number(y)),
      [375, 395, 415, 435],
    );
  });

  it('has a colour for each curve, or says so', () => {
    const series = Array.from({ length: 7 }, (_, number) => ({
      name: String(number),
      points: [{ connections: 1, requestsPerSecond: 1 }],
    }));
    assert.throws(() => throughputAgainstConnections(series), /only 6 curves/);
    assert.match(throughputAgainstConnections(series.slice(0, 6)), /requests a second/);
  });
});

describe('the figures of the service', () => {
  const server = (requestsPerSecond: number) => ({
    requestsPerSecond,
    processorMicroseconds: 100,
    p50Ms: 1,
    p99Ms: 4.5,
  });
  const comparison = (connections: number): MeasuredLoad => ({
    scenario: { title: 'step', kind: 'step', connections, logLevel: 'silent', cores: [0], goal: 0.6 },
    service: server(connections * 100),
    bare: server(connections * 200),
    ratio: 0.5,
  });

  it('have the ratio to the bare server and the p99', () => {
    assert.deepEqual(throughputFigure(comparison(64)), {
      what: 'step, 64 connections',
      figure: '6,400/s',
      p99: '4.5 ms',
      baseline: 'bare server 12,800/s',
      ratio: '0.50',
      goal: 'at least 0.6',
      isMet: false,
    });
  });

  it('are a curve where there are enough of them', () => {
    assert.deepEqual(loadSeries([4, 64].map(comparison)), []);
    assert.deepEqual(loadSeries([64, 1, 4].map(comparison)), [
      {
        name: 'step',
        points: [1, 4, 64].map((connections) => ({ connections, requestsPerSecond: connections * 100 })),
      },
      {
        name: 'bare server',
        points: [1, 4, 64].map((connections) => ({ connections, requestsPerSecond: connections * 200 })),
      },
    ]);
  });
});
