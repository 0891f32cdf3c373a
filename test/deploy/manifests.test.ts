import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfiguration } from '../../src/app/configuration.ts';
import { readSettings } from '../../src/app/settings.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { readYaml, readYamlDocuments } from '../support/yaml.ts';
import { deployedFile } from './deployed-files.ts';
import { readDockerfile } from './dockerfile.ts';

// No cluster runs here: what a manifest says is held against what the service and the image are.

type ComposeService = {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
};
type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: object;
};
type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: unknown;
};
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } };
type NodeSpec = {
  readonly serviceName: string;
  readonly selector: { readonly matchLabels: object };
  readonly template: {
    readonly metadata: { readonly labels: object };
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly enableServiceLinks: boolean;
      readonly securityContext: { readonly runAsNonRoot: boolean };
      readonly containers: readonly [
        {
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly envFrom: readonly Record<string, { readonly name: string }>[];
          readonly startupProbe: Probe;
          readonly livenessProbe: Probe;
          readonly readinessProbe: Probe;
          readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
          readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        },
      ];
      readonly volumes: readonly { readonly name: string }[];
    };
  };
  readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
};

/** docs/running.md: ten seconds beyond the deadline of prices, and twenty for the snapshot of the index. */
const CLOSING_SECONDS = 8 + 10 + 20;
const stages = readDockerfile();
const image = stages.find(({ name }) => name === 'service');
const compose = readYaml(deployedFile('compose.yaml')) as Compose;
const manifests = readYamlDocuments(deployedFile('kubernetes.yaml')) as readonly Manifest[];

test('the nodes of compose.yaml have settings that the service takes, and nothing twice', () => {
  const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('node-'));
  assert.equal(nodes.length, 2);
  const own = nodes.map(([name, { environment, build, read_only, stop_grace_period, volumes }]) => {
    const reading = readSettings({ ...image?.environment, ...environment });
    assert.ok(reading.kind === 'valid', JSON.stringify(reading));
    assert.equal(build?.target, 'service');
    assert.equal(read_only, true);
    assert.ok(Number.parseInt(stop_grace_period ?? '', 10) >= CLOSING_SECONDS);
    const { nodeName, port, metricsPort } = reading.value;
    assert.equal(nodeName, name);
    return [nodeName, port, metricsPort, volumes?.find((volume) => volume.endsWith(':/data'))];
  });
  const [one = [], other = []] = own;
  for (const [at, value] of one.entries()) assert.notEqual(value, other[at]);
});

function manifest(kind: string, name = 'staywire'): Manifest {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  assert.ok(found, `${kind} ${name}`);
  return found;
}

const nodes = manifest('StatefulSet').spec as NodeSpec;
const pod = nodes.template.spec;
const [container] = pod.containers;

test('the settings and files of kubernetes.yaml are ones that the service starts with', async (t) => {
  const directory = temporaryDirectory(t);
  const files = manifest('ConfigMap', 'staywire-files').data ?? {};
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const given = { ...manifest('ConfigMap').data, ...manifest('Secret').stringData };
  const entries = Object.entries({ ...image?.environment, ...given, STAYWIRE_NODE: 'staywire-0' });
  const here = entries.map(([name, value]) => [name, value.replace('/etc/staywire', directory)]);
  const reading = await readConfiguration(Object.fromEntries(here));
  assert.equal(reading.kind, 'valid', JSON.stringify(reading.kind === 'invalid' && reading.faults));
});

test('nodes in Kubernetes may write to their own folder alone, and get no variables that stop them', () => {
  assert.equal(pod.securityContext.runAsNonRoot, true);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  assert.equal(pod.enableServiceLinks, false);
  const volumes = [
    ...pod.volumes.map(({ name }) => name),
    ...nodes.volumeClaimTemplates.map(({ metadata }) => metadata.name),
  ];
  assert.deepEqual(container.volumeMounts.map(({ name }) => name).toSorted(), volumes.toSorted());
  const data = container.volumeMounts.find(({ name }) => name === 'data')?.mountPath;
  assert.ok(image?.environment.STAYWIRE_DATA_DIR?.startsWith(`${data}/`));
});

test('nodes in Kubernetes believe no whole network, and are reached by the ingress and Prometheus alone', () => {
  const given = { ...manifest('ConfigMap').data, ...manifest('Secret').stringData };
  const reading = readSettings({ ...image?.environment, ...given });
  assert.ok(reading.kind === 'valid');
  const { trustedProxies, metricsHost } = reading.value;
  assert.deepEqual(
    trustedProxies.filter((one) => one.includes('/') && !one.endsWith('/32')),
    [],
  );
  assert.equal(metricsHost, '0.0.0.0', 'Prometheus scrapes the address of the pod');
  const policy = manifest('NetworkPolicy').spec as {
    readonly podSelector: { readonly matchLabels: object };
    readonly policyTypes: readonly string[];
    readonly ingress: readonly { readonly from: readonly object[]; readonly ports: readonly object[] }[];
  };
  assert.deepEqual(policy.podSelector.matchLabels, nodes.template.metadata.labels);
  assert.deepEqual(policy.policyTypes, ['Ingress']);
  assert.deepEqual(
    policy.ingress.map(({ from, ports }) => [from.length, ports]),
    container.ports.map(({ name }) => [1, [{ port: name }]]),
  );
});
