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

  it('asks in words that a terminal does not obey', async () => {
    const label = `A ${'\u001b]0;x\u0007'}`;
    for (const question of [
      { initial: 'Lisbon' },
      { choices: [{ value: 'a', label }] },
      { choices: Array.from({ length: 12 }, (_, at) => ({ value: `a${at}`, label })) },
      { isSecret: true },
    ]) {
      const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
      const errors = stream(true);
      const streams = { input, output: stream(true), errors, isQuiet: false };
      const terminal = createSystemTerminal(streams as unknown as Parameters<typeof createSystemTerminal>[0]);
      const answer = terminal.ask({ message: `City ${HOSTILE}`, option: '--city', ...question });
      input.write('a\r');
      await answer;
      const text = errors.written.join('');
      assert.ok(text.includes(String.raw`\u001b]0;owned\u0007`), 'it is written out');
      for (const obeyed of ['\u001b]', '\u0007', '\u009b', '\u202e']) assert.ok(!text.includes(obeyed));
    }
  });

  it('takes Ctrl-C at a question as giving up', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const streams = { input, output: stream(true), errors: stream(true), isQuiet: false };
    const terminal = createSystemTerminal(streams as unknown as Parameters<typeof createSystemTerminal>[0]);
    const answer = terminal.ask({ message: 'City', option: '--city' });
    input.write('\u0003');
    await assert.rejects(answer, Interrupted);
  });
});
