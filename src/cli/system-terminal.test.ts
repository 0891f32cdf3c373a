import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { WriteStream } from 'node:tty';
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
});
