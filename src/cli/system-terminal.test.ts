import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { WriteStream } from 'node:tty';
import { Interrupted } from './faults.ts';
import { createSystemTerminal } from './system-terminal.ts';

function stream(isTTY: boolean, columns = 80, getColorDepth: () => number = () => 1) {
  const written: string[] = [];
  const sink = new Writable();
  return Object.assign(sink, {
    written,
    isTTY,
    columns,
    getColorDepth,
    write: (text: string) => written.push(text) > 0,
  });
}

/** As a terminal with all colours decides it from the environment. */
function colourful(name: 'TERM' | 'NO_COLOR', value: string) {
  return () => WriteStream.prototype.getColorDepth.call({}, { TERM: 'xterm-256color', [name]: value });
}

function terminalOn({
  output = stream(false),
  errors = stream(false),
  inputIsTerminal = false,
  isQuiet = false,
} = {}) {
  const streams = { input: { isTTY: inputIsTerminal }, output, errors, isQuiet };
  return createSystemTerminal(streams as unknown as Parameters<typeof createSystemTerminal>[0]);
}

/** Sets the title, clears the screen, turns the writing around, hides, and goes back to the start of the line. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b1A\u202e\u001b[8m\r\u200b\u{e0041}\u007f.';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const OWN = /\u001b\[(?:1|2|22|31|32|33|39)m|\r\u001b\[K/g;
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}]/u;

const areForced = process.env.FORCE_COLOR === undefined ? false : 'FORCE_COLOR decides';

describe('the terminal of the process', { skip: areForced }, () => {
  it('asks only where a person can see and answer, and else names the option', async () => {
    const tty = stream(true);
    assert.equal(terminalOn({ errors: tty, inputIsTerminal: true }).canAsk, true);
    assert.equal(terminalOn({ errors: tty }).canAsk, false);
    assert.equal(terminalOn({ inputIsTerminal: true }).canAsk, false);
    assert.equal(terminalOn({ errors: tty, inputIsTerminal: true, isQuiet: true }).canAsk, false);
    await assert.rejects(terminalOn().ask({ message: 'API key', option: '--key' }), {
      faults: ['API key is not given'],
      next: 'give it with --key',
    });
  });

  it('prints results on the output and notes on the errors; with JSON nothing but the result', () => {
    for (const isQuiet of [false, true]) {
      const [output, errors] = [stream(false), stream(false)];
      const terminal = terminalOn({ output, errors, isQuiet });
      terminal.note('on the way');
      const bar = terminal.progress('Reading');
      bar.update(1, 2);
      bar.end('read');
      terminal.print('done');
      assert.deepEqual(output.written, ['done\n']);
      assert.deepEqual(errors.written, isQuiet ? [] : ['on the way\n', 'Reading 50 %\n', 'read\n']);
    }
  });

  it('never writes a colour into what is no terminal', () => {
    const errors = stream(false);
    const terminal = terminalOn({ output: stream(true), errors });
    terminal.note(`\u001b[31m✖\u001b[39m wrong`);
    assert.deepEqual(errors.written, ['✖ wrong\n']);
    assert.equal(terminalOn().styled('bad', '✖'), '✖');
  });

  it('has colours on a terminal, and none with NO_COLOR', () => {
    const styledOn = (depth: () => number) =>
      terminalOn({ output: stream(true, 80, depth) }).styled('bad', '✖');
    assert.equal(styledOn(colourful('TERM', 'xterm-256color')), '\u001b[31m✖\u001b[39m');
    assert.equal(styledOn(colourful('NO_COLOR', '1')), '✖');
    assert.equal(styledOn(colourful('TERM', 'dumb')), '✖');
  });

  it('writes a line for each tenth part where it cannot draw', () => {
    for (const errors of [stream(false), stream(true, 0)]) {
      const bar = terminalOn({ errors }).progress('hills: calendars');
      for (let done = 0; done <= 1000; done += 1) bar.update(done, 1000);
      assert.deepEqual(
        errors.written,
        [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((part) => `hills: calendars ${part} %\n`),
      );
    }
  });

  it('draws a bar in the last line of a terminal, notes above it, and the end in its place', () => {
    const errors = stream(true);
    const terminal = terminalOn({ output: stream(true), errors });
    const bar = terminal.progress('hills: calendars');
    bar.update(1, 2);
    bar.update(1, 2);
    const [drawn = ''] = errors.written;
    assert.match(drawn, /^\r.*hills: calendars ━{12}.*─{12}.* {2}50 %$/);
    terminal.note('a pause');
    bar.end('hills: read');
    assert.deepEqual(
      errors.written.slice(1).map((text) => text.replaceAll('\u001b[K', '')),
      ['\r', 'a pause\n', drawn.replaceAll('\u001b[K', ''), '\r', 'hills: read\n'],
    );
  });

  it('shows that it waits in the last line of a terminal, cut to its width, and elsewhere only what came of it', () => {
    const [drawn, plain] = [stream(true, 60), stream(false)];
    for (const errors of [drawn, plain]) {
      const line = terminalOn({ errors }).wait();
      line.show(`1 s  Asking ${'Casa Lumeira, '.repeat(9)}`);
      line.end('Asked 9 brands.');
    }
    const [shown = '', ...others] = drawn.written.map((text) => text.replaceAll('\u001b[K', ''));
    assert.match(shown, /^\r1 s {2}Asking Casa Lumeira, .*…$/);
    assert.ok(shown.length <= 60);
    assert.deepEqual(others, ['\r', 'Asked 9 brands.\n']);
    assert.deepEqual(plain.written, ['Asked 9 brands.\n']);
    const quiet = stream(true);
    terminalOn({ errors: quiet, isQuiet: true }).wait().end('Asked.');
    assert.deepEqual(quiet.written, []);
  });

  it('says how wide it is, and whether a person sees what is printed', () => {
    const on = (output: ReturnType<typeof stream>) => {
      const { columns, isSeen } = terminalOn({ output });
      return { columns, isSeen };
    };
    assert.deepEqual(on(stream(true, 132)), { columns: 132, isSeen: true });
    assert.deepEqual(on(stream(true, 0)), { columns: 80, isSeen: true });
    assert.deepEqual(on(stream(false)), { columns: 80, isSeen: false });
  });

  it('finds a choice by a part of its label without accents, and asks for a day by keys', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const streams = { input, output: stream(true), errors: stream(true), isQuiet: false };
    const terminal = createSystemTerminal(streams as unknown as Parameters<typeof createSystemTerminal>[0]);
    const choices = [
      { value: 'rio', label: 'Rio de Janeiro' },
      { value: 'sao', label: 'São Paulo' },
    ];
    const place = terminal.ask({ message: 'Where to?', option: '--destination', canFilter: true, choices });
    input.write('SAO');
    input.write('\r');
    assert.equal(await place, 'sao');
    const month = 2027 * 12;
    const day = terminal.askForDay({
      message: 'Arrival',
      option: '--check-in',
      months: [month],
      daysOf: async () => [20_820, 20_825],
      near: 20_820,
      today: 20_819,
      arrival: null,
    });
    await new Promise((resolve) => setImmediate(resolve));
    input.write('\u001b[C');
    input.write('\r');
    assert.equal(await day, '2027-01-07');
    await assert.rejects(
      terminalOn().askForDay({
        message: 'Arrival',
        option: '--check-in',
        months: [month],
        daysOf: async () => [],
        near: 0,
        today: 0,
        arrival: null,
      }),
      { next: 'give it with --check-in' },
    );
  });

  it('obeys nothing that came from a file or an operator, wherever it is shown', () => {
    for (const isTerminal of [true, false]) {
      const depth = colourful('TERM', 'xterm-256color');
      const [output, errors] = [stream(isTerminal, 80, depth), stream(isTerminal, 80, depth)];
      const terminal = terminalOn({ output, errors });
      terminal.print(`${terminal.styled('bad', '✖')} ${HOSTILE}`);
      terminal.print(JSON.stringify({ name: HOSTILE }));
      terminal.note(`${terminal.styled('warning', '!')} ${HOSTILE}`);
      const bar = terminal.progress(HOSTILE);
      bar.update(1, 2);
      bar.end(HOSTILE);
      const text = [...output.written, ...errors.written].join('');
      assert.doesNotMatch(text.replaceAll(OWN, ''), OBEYED);
      const [shown = '', json = ''] = output.written;
      assert.equal(shown.startsWith('\u001b[31m✖\u001b[39m '), isTerminal);
      assert.deepEqual(JSON.parse(json), { name: HOSTILE });
    }
  });

  for (const [what, question] of [
    ['a text', { initial: 'Lisbon' }],
    ['a choice', { choices: [{ value: 'a', label: `A ${'\u001b]0;x\u0007'}`, hint: '\u009b2J' }] }],
    [
      'a choice in a long list',
      { canFilter: true, choices: [{ value: 'a', label: `A ${'\u001b]0;x\u0007'}` }] },
    ],
    ['a secret', { isSecret: true }],
  ] as const) {
    it(`asks for ${what} in words that a terminal does not obey`, async () => {
      const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
      const errors = stream(true);
      const streams = { input, output: stream(true), errors, isQuiet: false };
      const terminal = createSystemTerminal(streams as unknown as Parameters<typeof createSystemTerminal>[0]);
      const answer = terminal.ask({ message: `City ${HOSTILE}`, option: '--city', ...question });
      input.write('a\r');
      await answer;
      const text = errors.written.join('');
      assert.match(text, /City/);
      assert.ok(text.includes(String.raw`\u001b]0;owned\u0007`), 'it is written out');
      for (const obeyed of ['\u001b]', '\u0007', '\u009b', '\u202e']) assert.ok(!text.includes(obeyed));
    });
  }

  for (const canFilter of [false, true]) {
    const asked = (keys: string, more: object) => {
      const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
      const streams = { input, output: stream(true), errors: stream(true), isQuiet: false };
      const terminal = createSystemTerminal(streams as unknown as Parameters<typeof createSystemTerminal>[0]);
      const choices = ['pool', 'lift'].map((value) => ({ value, label: value }));
      const answer = terminal.ask({ message: 'With', option: '--with', choices, canFilter, ...more });
      input.write(keys);
      return answer.finally(() => assert.equal(input.listenerCount('keypress'), 0));
    };

    it(`tells Escape from Ctrl-C at a question that has a choice for it, ${canFilter ? 'in a long list' : 'in a list'}`, async () => {
      const atEscape = { atEscape: '' };
      assert.equal(await asked('\u001b', atEscape), '');
      assert.equal(await asked('\u001b[B\u001b', atEscape), '');
      assert.equal(await asked('\u001b[B\r', atEscape), 'lift');
      await assert.rejects(asked('\u0003', atEscape), Interrupted);
      await assert.rejects(asked('\u001b', {}), Interrupted);
    });
  }
});
