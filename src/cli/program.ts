import { Command, CommanderError, Option } from 'commander';
import { REPORT_IDS } from '../analytics/reports/report.ts';
import { type CliTools, type CommandResult, EXIT, type ExitCode } from './command.ts';
import {
  approveAssistant,
  limitAssistant,
  removeAssistant,
  suspendAssistant,
} from './commands/assistants/change.ts';
import { listAssistants, showRegistry, storeRegistry } from './commands/assistants/list.ts';
import { testRequest } from './commands/assistants/test-request.ts';
import { tailAudit, verifyAudit } from './commands/audit.ts';
import { checkNetwork, checkServer } from './commands/check.ts';
import { connect } from './commands/connect.ts';
import { importFile } from './commands/import.ts';
import { init } from './commands/init.ts';
import { importBookings } from './commands/outcomes.ts';
import { migrateStore, showNetwork, storeNetwork } from './commands/postgres.ts';
import { rejections } from './commands/rejections.ts';
import { report } from './commands/report.ts';
import { createSigningKey, setConsolePassword } from './commands/secrets.ts';
import { mcp, serve } from './commands/serve.ts';
import { sync } from './commands/sync.ts';
import { LOCAL_SERVICE, tryService } from './commands/try.ts';
import { SYSTEM_KINDS } from './connect-entry.ts';
import { explainedFault, Interrupted, SystemFault, UsageFault } from './faults.ts';
import { paragraph } from './terminal.ts';

/** Read before commander parses the line: with `--json` nothing but the result may be printed. */
export function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).includes('--json');
}

/** Runs one command line and resolves with its exit code. Never rejects: a fault is printed, with what to do next. */
export async function runCommandLine(
  words: readonly string[],
  tools: CliTools,
  version: string,
): Promise<ExitCode> {
  const isJson = wantsJson(words);
  let exit: ExitCode = EXIT.done;
  const program = createProgram(version, tools, words, async (work) => {
    const result = await work();
    tools.terminal.print(isJson ? JSON.stringify(result.json, null, 2) : result.text);
    exit = result.exit;
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exit;
  } catch (error) {
    return reportFault(error, tools, isJson);
  }
}

/** Every command with its arguments, for the documents. */
export function commandsForDocuments(): readonly { readonly usage: string; readonly description: string }[] {
  const nothing = async () => undefined;
  const program = createProgram('', { terminal: { print: nothing, note: nothing } } as never, [], nothing);
  return program.commands
    .flatMap((one) => (one.commands.length > 0 ? one.commands : [one]))
    .map((one) => ({
      usage: `${fullName(one)} ${one.usage().replace('[options] ', '').replace('[options]', '')}`.trim(),
      description: one.description(),
    }));
}

function fullName(one: Command): string {
  return one.parent ? `${fullName(one.parent)} ${one.name()}` : one.name();
}

function createProgram(
  version: string,
  tools: CliTools,
  words: readonly string[],
  run: (work: () => Promise<CommandResult>) => Promise<void>,
): Command {
  const program: Command = new Command('staywire')
    .description(
      'Live prices of short-term rentals for AI assistants, from the operators’ own booking systems.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => tools.terminal.print(text.trimEnd()),
      writeErr: (text) => tools.terminal.note(text.trimEnd()),
    })
    .configureHelp({ helpWidth: 80, minWidthToWrap: 20 })
    .showHelpAfterError('→ staywire COMMAND --help lists what a command takes')
    .addHelpText('after', EXAMPLES);

  command(program, 'init [folder]', 'write a network file with comments, and an environment file with a key')
    .option('--name <name>', 'name of the network')
    .option('--contact <address>', 'where people can write to')
    .option('--trust-this-machine', 'let every program on this machine call the service, to try it')
    .action((folder, options) => run(() => init(folder, options, tools)));

  inWorkspace(
    command(program, 'connect <brand>', 'connect the booking system of a brand, and write its entry'),
  )
    .option('--system <kind>', `its booking system: ${SYSTEM_KINDS.join(', ')}`)
    .option('--account <name>', 'the name of its account; the brand’s own when left out')
    .option('--name <name>', 'what travellers call the brand')
    .option('--set <member=value...>', 'a member of the booking system’s entry')
    .option('--host <host...>', 'a host of its pages and pictures; no other is registered')
    .option(
      '--stay-url <template>',
      'how the link of a stay is built, with {reference}, {check_in}, {check_out} …',
    )
    .option('--place <city=place...>', 'the place of a city that the operator names')
    .option('--all-in-totals', 'the operator states that its totals hold every tax and fee')
    .option('--secrets-from-stdin', 'read the secrets as a JSON object from the input')
    .option('--force', 'write the entry although a check has failed')
    .action((brand, options) => run(() => connect(brand, options, tools, words)));

  inWorkspace(
    command(program, 'check [brand]', 'try what a search needs of each brand, with a verdict for each part'),
  )
    .option('--url <address>', 'check any server of the open protocol instead, before it joins')
    .option('--token-variable <name>', 'with --url: the environment variable that holds its token')
    .action((brand, options) =>
      run(() =>
        options.url === undefined ? checkNetwork(brand, options, tools) : checkServer(options, tools),
      ),
    );

  inWorkspace(command(program, 'sync [brand]', 'read catalogues and calendars into the store'))
    .option('--full', 'read every calendar, and not only those that are due')
    .option('--watch', 'go on at the refresh interval')
    .action((brand, options) => run(() => sync(brand, options, tools)));

  inWorkspace(
    command(program, 'held-back [brand]', 'list what was held back or repaired, and what to do about it'),
  )
    .addOption(new Option('--csv', 'as a table for spreadsheets').conflicts('json'))
    .action((brand, options) => run(() => rejections(brand, options, tools)));

  inWorkspace(
    command(
      program,
      'report [report]',
      `print what was counted: ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(REPORT_IDS)}; all when none is named`,
    ),
  )
    .option(
      '--from <day>',
      'the first day, YYYY-MM-DD in UTC; when left out, six days before the last, and for today the last itself',
    )
    .option('--to <day>', 'the last day; today when left out')
    .option('--brand <brand>', 'only the part of this brand, to hand over')
    .option('--table <table>', 'only this table (docs/reports.md names them)')
    .addOption(new Option('--csv', 'as tables for spreadsheets').conflicts('json'))
    .action((name, options) => run(() => report(name, options, tools)));

  const network = program
    .command('network')
    .description('the network that several nodes share, in PostgreSQL');
  inWorkspace(
    command(network, 'store', 'check the network file and its credentials, and store both for all nodes'),
  ).action((options) => run(() => storeNetwork(options, tools)));
  command(network, 'show', 'print the network file that is stored').action((options) =>
    run(() => showNetwork(options, tools)),
  );

  const assistants = program.command('assistants').description('who may call');
  onRegistry(
    command(assistants, 'list', 'list who is registered, how each is recognised, and who else is known'),
  ).action((options) => run(() => listAssistants(options, tools)));
  onRegistry(
    command(
      assistants,
      'approve <id>',
      'approve an assistant: a registered or a known one by its id, another with how it is recognised',
    ),
  )
    .option('--name <name>', 'what people call it')
    .option('--signature-agent <origin>', 'it signs its requests with a key of this origin')
    .option('--jwks-uri <address>', 'it signs its requests with a key of this document')
    .option('--user-agent <token>', 'it sends this product token, and comes from …')
    .option('--ranges <networks>', '… one of these networks, separated by commas')
    .option('--ranges-url <address>', '… one of the networks that it publishes there')
    .option('--reverse-dns <domains>', '… a machine whose name is in one of these domains')
    .option('--network <networks>', 'it is every caller in these networks, separated by commas')
    .option('--note <text>', 'why, for its history')
    .option('--force', 'although this lets in more than one assistant')
    .action((id, options) => run(() => approveAssistant(id, options, tools)));
  onRegistry(command(assistants, 'suspend <id>', 'refuse an assistant until it is approved again'))
    .option('--note <text>', 'why, for its history')
    .action((id, options) => run(() => suspendAssistant(id, options, tools)));
  onRegistry(command(assistants, 'limit <id>', 'set what an assistant may have; "none" takes a limit away'))
    .option('--requests <number>', 'requests in a window, over all of its sessions')
    .option('--sessions <number>', 'open sessions')
    .option('--searches <number>', 'searches at a time')
    .option('--megabytes <number>', 'what its open sessions keep in the store')
    .option('--note <text>', 'why, for its history')
    .action((id, options) => run(() => limitAssistant(id, options, tools)));
  onRegistry(command(assistants, 'remove <id>', 'forget an assistant, its limits and its history')).action(
    (id, options) => run(() => removeAssistant(id, options, tools)),
  );
  onRegistry(
    command(
      assistants,
      'test <request>',
      'tell how a request would be judged: a file with its first line and its headers, or - for the input',
    ),
  )
    .option('--from <address>', 'the address that it comes from')
    .action((request, options) => run(() => testRequest(request, options, tools)));
  onRegistry(command(assistants, 'show', 'print the registry as it is')).action((options) =>
    run(() => showRegistry(options, tools)),
  );
  onRegistry(command(assistants, 'store <file>', 'check a whole registry, and put it in force'))
    .option('--note <text>', 'why, for the history of what it changes')
    .option('--force', 'although it undoes changes that were made meanwhile')
    .action((file, options) => run(() => storeRegistry(file, options, tools)));
  const signingKeys = program
    .command('signing-keys')
    .description('the keys by which requests to operators are signed');
  command(signingKeys, 'create', 'make a key; in a file that has keys it is added after them')
    .option('--out <file>', 'the file; signing-keys.json in this folder when left out')
    .action((options) => run(() => createSigningKey(options, tools)));

  command(program, 'migrate-store', 'copy ledger, bookings and decisions to the PostgreSQL of many nodes')
    .addOption(new Option('--from <store>', 'the embedded store').choices(['sqlite']).makeOptionMandatory())
    .addOption(new Option('--to <store>', 'where to').choices(['postgres']).makeOptionMandatory())
    .option('--data <folder>', 'the folder of the embedded store; STAYWIRE_DATA_DIR when left out')
    .action((options) => run(() => migrateStore(options, tools)));

  const audit = program
    .command('audit')
    .description('the audit log of a node: who did what (docs/audit-log.md)');
  inAuditLog(command(audit, 'verify', 'tell whether the audit log is as it was written'))
    .option('--anchor <hash...>', 'a hash that was kept elsewhere, such as in the service’s log')
    .action((options) => run(() => verifyAudit(options, tools)));
  inAuditLog(command(audit, 'tail', 'print the last records'))
    .option('-n, --lines <number>', 'how many; 20 when left out')
    .option('--assistant <id>', 'only records about this assistant')
    .action((options) => run(() => tailAudit(options, tools)));

  const ownerConsole = program
    .command('console')
    .description('the console of the owner, in a browser (docs/console.md)');
  command(ownerConsole, 'password', 'set the password by which the owner signs in')
    .option('--password-from-stdin', 'read it from the input instead of asking for it')
    .option('--data <folder>', 'the folder of the data; STAYWIRE_DATA_DIR when left out')
    .action((options) => run(() => setConsolePassword(options, tools)));

  const imports = program.command('import').description('make a brand out of published files');
  inWorkspace(command(imports, 'plain <file>', 'a file in the plain format (docs/plain-format.md)'))
    .requiredOption('--brand <brand>', 'the brand that gets the homes')
    .option('--name <name>', 'what travellers call the brand')
    .option('--host <host...>', 'a host of its pages and pictures; no other is registered')
    .option('--place <city=place...>', 'the place of a city that the file names')
    .action((file, options) => run(() => importFile(file, options, tools, words)));

  const outcomes = program
    .command('outcomes')
    .description('bookings that operators report, which came of links in results');
  inWorkspace(
    command(
      outcomes,
      'import <file>',
      'take the bookings of a CSV file: reference, quote, status, booked_at, amount, currency',
    ),
  )
    .requiredOption('--brand <brand>', 'the brand that was booked')
    .action((file, options) => run(() => importBookings(file, options, tools)));

  command(program, 'try', 'search a running service as an assistant does, step by step')
    .option('--url <address>', `where the service is; ${LOCAL_SERVICE} when left out`)
    .option('--source <brand>', 'enter through this brand, as a visitor of its website does')
    .option(
      '--brand-locked <boolean>',
      'with --source: true for its homes alone, false for those of every brand',
    )
    .option('--destination <place>', 'a place by its name or identifier')
    .option('--check-in <day>', 'day of arrival, YYYY-MM-DD; with YYYY-MM the days of that month are named')
    .option('--check-out <day>', 'day of departure, YYYY-MM-DD')
    .option('--guests <number>', 'how many people stay, children and infants too')
    .option('--amenity <amenity...>', 'what every home must have')
    .action((options) => run(() => tryService(options, tools)));

  inWorkspace(program.command('serve').description('run the service on the network of this folder'))
    .option('--port <number>', 'port of the interface')
    .option('--host <address>', 'address to listen on')
    .action((options) => serve(options, tools));

  program
    .command('mcp')
    .description('offer a running service to an assistant that speaks MCP over its input and output')
    .requiredOption('--url <address>', 'the service, such as https://stays.example')
    .action((options) => mcp(options, tools));

  return program;
}

function command(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .addOption(new Option('--json', 'print the result as JSON, and nothing else'));
}

function inWorkspace(one: Command): Command {
  return one
    .option('--network <file>', 'the network file; network.jsonc in this folder when left out')
    .option('--data <folder>', 'the folder of the data; STAYWIRE_DATA_DIR when left out');
}

function onRegistry(one: Command): Command {
  return one.option('--data <folder>', 'the folder of the data; STAYWIRE_DATA_DIR when left out');
}

function inAuditLog(one: Command): Command {
  return one
    .option('--data <folder>', 'the folder of the data; STAYWIRE_DATA_DIR when left out')
    .option('--dir <folder>', 'the folder of the log; audit in the folder of the data when left out');
}

const EXAMPLES = `
To begin:
  staywire init                              a network file and a key
  staywire connect harbor --system lodgify   the first brand
  staywire sync                              its homes and calendars
  staywire assistants approve chatgpt        lets an assistant call
  staywire serve                             answers assistants
  staywire try                               search it yourself

Exit codes: 0 done; 1 it ran, and what it looked at has faults; 2 an option, a
file or a setting is wrong; 130 interrupted, and nothing is left half done.`;

function reportFault(error: unknown, { terminal, signal }: CliTools, isJson: boolean): ExitCode {
  // Help and the version were printed.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  const isInterrupted = error instanceof Interrupted || signal.aborted;
  const { faults, next, command = null, details = {} } = isInterrupted ? INTERRUPTION : faultsOf(error);
  if (isJson) {
    const members = { faults, next, ...(command === null ? {} : { command }), ...details };
    terminal.print(JSON.stringify({ error: members }, null, 2));
  }
  // Commander has printed its own faults already.
  else if (!(error instanceof CommanderError)) {
    const mark = isInterrupted ? '' : `${terminal.styled('bad', '✖')} `;
    for (const fault of faults) {
      // The lines after the first may be there to be pasted.
      const [first = '', ...others] = fault.split('\n');
      terminal.note([paragraph(mark + first, mark === '' ? '' : '  '), ...others].join('\n  '));
    }
    if (next !== null) terminal.note(paragraph(`→ ${next}`, '  '));
    if (command !== null) terminal.note(`  ${command}`);
  }
  if (isInterrupted) return EXIT.interrupted;
  return error instanceof SystemFault ? EXIT.faults : EXIT.usage;
}

const INTERRUPTION: ShownFault = { faults: ['Interrupted; nothing is left half done.'], next: null };

type ShownFault = Pick<UsageFault, 'faults' | 'next'> & Partial<Pick<UsageFault, 'command' | 'details'>>;

function faultsOf(error: unknown): ShownFault {
  if (error instanceof CommanderError)
    return { faults: [error.message.replace(/^error: /, '')], next: 'staywire help lists the commands' };
  return error instanceof UsageFault ? error : explainedFault(error);
}
