import { readFileSync } from 'node:fs';

const manifest = import.meta.resolve('uplot/package.json');

/** The two files of uPlot, served unchanged. Read at the first request. */
export const CHART_LIBRARY = {
  script: cachedFile('dist/uPlot.iife.min.js'),
  style: cachedFile('dist/uPlot.min.css'),
};

function cachedFile(name: string): () => Buffer {
  let cached: Buffer | null = null;
  return () => {
    cached ??= readFileSync(new URL(name, manifest));
    return cached;
  };
}

/**
 * Runs in the browser; pages work without it. Draws charts from the numbers in the tables, and fetches the figures again every five seconds
 * while the page is visible.
 */
export const CONSOLE_SCRIPT = `'use strict';
const EVERY_MS = 5000;
const HEIGHT = 220;
const charts = new Map();
/** The parts as they were sent, to compare with: charts are drawn into those on the page. */
const sent = new Map();

const parts = (page) => [...page.querySelectorAll('[data-live=part]')];
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** In UTC, as everywhere in the console. */
function timeText(seconds, step) {
  const text = new Date(seconds * 1000).toISOString();
  return step >= 86400 || text.slice(11, 16) === '00:00' ? text.slice(5, 10) : text.slice(11, 16);
}

function draw(part) {
  const box = part.querySelector('.chart');
  const table = part.querySelector('.scroll table');
  charts.get(part.id)?.destroy();
  charts.delete(part.id);
  if (!box || !table || typeof uPlot === 'undefined') return;
  const at = (row, place) => {
    const value = row.cells[place].dataset.value;
    return value === undefined ? null : Number(value);
  };
  const rows = [...table.tBodies[0].rows].sort((a, b) => at(a, 0) - at(b, 0));
  const lines = box.dataset.lines.split(' ').map(Number);
  if (rows.length < 2) return;
  box.hidden = false;
  box.setAttribute('role', 'img');
  box.setAttribute('aria-label', 'Chart of ' + part.querySelector('h2').textContent + '; its rows are in the table');
  const from = rows.map((row) => at(row, 0) / 1000);
  const last = rows.length - 1;
  // A count is of its whole period: it is drawn level up to the end of that, or up to now.
  const end = Math.max(from[last] + 1, Math.min(from[last] + from[1] - from[0], Date.now() / 1000));
  const rowAt = (place) => rows[Math.min(place, last)];
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--grid'), width: 1 }, ticks: { show: false } };
  const options = {
    width: Math.max(200, box.clientWidth),
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false } },
    // Where nobody points, it names the last period.
    hooks: { setCursor: [(chart) => chart.cursor.idx === null && chart.setLegend({ idx: last }, false)] },
    scales: { y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.1 : 1] } },
    axes: [{ ...axis, values: (_, splits, __, ___, step) => splits.map((seconds) => timeText(seconds, step)) }, { ...axis, size: 56, values: (_, values) => values.map((value) => value.toLocaleString('en')) }],
    series: [
      { label: 'UTC', value: (_, value, __, at) => (at === null ? '–' : rowAt(at).cells[0].textContent.trim()) },
      ...lines.map((place, index) => ({
        label: table.tHead.rows[0].cells[place].textContent,
        stroke: colour('--series-' + ((index % 4) + 1)),
        width: 2,
        points: { show: false },
        value: (_, value, __, at) => (at === null ? '–' : rowAt(at).cells[place].textContent.trim()),
        paths: uPlot.paths.stepped({ align: 1 }),
      })),
    ],
  };
  const data = [[...from, end], ...lines.map((place) => [...rows, rows[last]].map((row) => at(row, place)))];
  const chart = new uPlot(options, data, box);
  chart.setLegend({ idx: last }, false);
  charts.set(part.id, chart);
}

/** Keeps the place of the reader: focus, what is unfolded, and how far tables are scrolled. */
function replace(part, fresh) {
  const focused = part.contains(document.activeElement) ? document.activeElement.id : '';
  const unfolded = [...part.querySelectorAll('details[open]')].map(({ id }) => id);
  const scrolled = [...part.querySelectorAll('.scroll')].map(({ id, scrollLeft, scrollTop }) => [id, { left: scrollLeft, top: scrollTop }]);
  part.replaceChildren(...document.adoptNode(fresh).childNodes);
  for (const id of unfolded) if (id !== '') document.getElementById(id)?.setAttribute('open', '');
  draw(part);
  for (const [id, place] of scrolled) document.getElementById(id)?.scrollTo(place);
  if (focused !== '') document.getElementById(focused)?.focus({ preventScroll: true });
}

function say(text) {
  const fresh = document.getElementById('fresh');
  if (fresh) fresh.textContent = text;
}

async function refresh() {
  if (document.hidden) return;
  const response = await fetch(location.href, { headers: { 'staywire-live': '1' }, cache: 'no-store' });
  if (response.redirected) return void location.reload();
  if (!response.ok) throw new Error('status ' + response.status);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = parts(page);
  if (fresh.map(({ id }) => id).join() !== parts(document).map(({ id }) => id).join()) return void location.reload();
  const top = scrollY;
  for (const part of fresh) {
    const text = part.innerHTML;
    if (sent.get(part.id) === text) continue;
    sent.set(part.id, text);
    replace(document.getElementById(part.id), part);
  }
  if (scrollY !== top) scrollTo({ top });
  say('Figures were updated at ' + new Date().toISOString().slice(11, 19) + '.');
}

async function keepFresh() {
  try {
    await refresh();
  } catch {
    say('Figures could not be updated; the service may be restarting. Trying again.');
  }
  setTimeout(keepFresh, EVERY_MS);
}

for (const part of parts(document)) {
  sent.set(part.id, part.innerHTML);
  draw(part);
}
const redraw = () => parts(document).forEach(draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
addEventListener('resize', () => {
  for (const part of parts(document)) {
    const box = part.querySelector('.chart');
    charts.get(part.id)?.setSize({ width: Math.max(200, box.clientWidth), height: HEIGHT });
  }
});
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
if (document.body.dataset.live === 'page') {
  say('Figures update every ' + EVERY_MS / 1000 + ' seconds.');
  setTimeout(keepFresh, EVERY_MS);
  document.addEventListener('visibilitychange', () => void refresh().catch(() => undefined));
}
`;
