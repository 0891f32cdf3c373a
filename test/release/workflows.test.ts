import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readYaml } from '../support/yaml.ts';
import { PROJECT, packageFile, textOf } from './project-files.ts';

type Step = {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
};
type Job = {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};
type Workflow = {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
};

const FOLDER = '.github/workflows';
/** The releases of actions that were looked at, each with the commit that its tag points to. */
const ACTIONS: Readonly<Record<string, string>> = {
  'actions/attest': '1e69f48acb82d1966a394da916b4c1698aa569d6 # v4.2.2',
  'actions/checkout': '3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  'actions/download-artifact': '3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1',
  'actions/setup-node': '820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  'actions/upload-artifact': 'bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
};

const files = readdirSync(join(PROJECT, FOLDER)).sort();
const { node } = packageFile().devDependencies ?? {};

it('there is one workflow that checks and one that releases', () => {
  assert.deepEqual(files, ['ci.yml', 'release.yml']);
});

for (const file of files) {
  describe(file, () => {
    const text = textOf(join(FOLDER, file));
    const workflow = workflowIn(file);
    const jobs = Object.values(workflow.jobs);
    const steps = jobs.flatMap((job) => job.steps);

    it('uses actions by the commit of a release, and no other', () => {
      const uses = [...text.matchAll(/uses: (\S+?)@(.+)$/gm)].map(([, name = '', pin]) => [name, pin]);
      assert.equal(uses.length, steps.filter((step) => step.uses).length);
      for (const [name = '', pin] of uses) assert.equal(pin, ACTIONS[name], name);
    });

    it('allows nothing that a job does not ask for, on a named system and for a limited time', () => {
      assert.deepEqual(workflow.permissions, {});
      for (const job of jobs) {
        assert.ok(job.permissions);
        assert.match(job['runs-on'], /^ubuntu-\d\d\.04$/);
        assert.ok((job['timeout-minutes'] ?? Number.POSITIVE_INFINITY) <= 60);
      }
    });

    it('knows no secret, and puts nothing that others choose into a command', () => {
      assert.doesNotMatch(text, /secrets\.|_authToken|NODE_AUTH_TOKEN|pull_request_target|workflow_run/);
      for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
    });

    it('runs on the Node of the project, whose npm refuses scripts and can be trusted to publish', () => {
      const versions = steps
        .filter(({ uses }) => uses?.startsWith('actions/setup-node@'))
        .map((step) => step.with?.['node-version']);
      assert.deepEqual(
        versions,
        jobs.map(() => node),
      );
    });
  });
}

describe('a release', () => {
  const { jobs } = workflowIn('release.yml');
  const { make, publish } = jobs;

  it('is made by a job that may change nothing: the version, the packages, their signatures, the tests, the files', () => {
    assert.deepEqual(make?.permissions, { contents: 'read' });
    const [tag = '', ...rest] = commandsOf(make);
    assert.match(
      tag,
      /^test "\$GITHUB_REF_NAME" = "v\$\(node --print "require\('\.\/package\.json'\)\.version"\)"$/,
    );
    assert.deepEqual(rest, [
      'npm ci',
      'npm audit signatures',
      'npm test',
      'npm run test:all',
      'npm run release',
    ]);
    assert.equal(make?.steps.at(-1)?.uses?.split('@')[0], 'actions/upload-artifact');
  });

  it('is published by a job that runs no code of the project or of its packages', () => {
    assert.equal(publish?.needs, 'make');
    assert.equal(publish?.environment, 'release');
    assert.deepEqual(publish?.permissions, { contents: 'write', 'id-token': 'write', attestations: 'write' });
    assert.deepEqual(
      publish?.steps.map(({ uses, run = '' }) => uses?.split('@')[0] ?? run.split(' ', 2).join(' ')),
      [
        'actions/download-artifact',
        'actions/setup-node',
        'cd release',
        'actions/attest',
        'npm publish',
        'gh release',
      ],
    );
    const [check, npm, github = ''] = commandsOf(publish);
    assert.equal(check, 'cd release && sha256sum --check SHA256SUMS');
    assert.equal(npm, 'npm publish ./release/*.tgz --provenance --access public --ignore-scripts');
    assert.match(github, / release\/\* .*--verify-tag /);
  });

  it('keeps out of caches that other workflows can write', () => {
    for (const step of [...(make?.steps ?? []), ...(publish?.steps ?? [])]) {
      if (step.uses?.startsWith('actions/setup-node@')) {
        assert.equal(step.with?.['package-manager-cache'], false);
      }
      assert.equal(step.with?.cache, undefined);
    }
  });
});

function workflowIn(file: string): Workflow {
  return readYaml(textOf(join(FOLDER, file))) as Workflow;
}

function commandsOf(job: Job | undefined): readonly string[] {
  return (job?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run.trim()]));
}
