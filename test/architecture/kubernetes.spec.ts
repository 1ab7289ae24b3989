import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readSettings, SETTING_NAMES } from '../../src/platform/config/settings.js';
import { Dockerfile } from '../support/dockerfile.js';
import { kustomize, readManifest, type Manifest } from '../support/kustomize.js';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}
interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom: readonly Record<string, { readonly name: string }>[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: object;
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [Container];
}

const BASE = 'ops/kubernetes/base';
const EXAMPLE = 'ops/kubernetes/overlays/example';
const SECRET = `${BASE}/secret.example.yaml`;
/** For what has begun when the time to drain is over: `SHUTDOWN_LIMIT_MS` of src/main.ts. */
const SHUTDOWN_SECONDS = 20;
/** How long a migration tries to get its locks. */
const MIGRATION_SECONDS = 300;

describe('Kubernetes manifests', () => {
  const base = kustomize(BASE);
  const example = kustomize(EXAMPLE);
  const secret = readManifest(SECRET);
  const { stringData } = secret as unknown as { stringData: Record<string, string> };
  const settingsOf = (manifests: readonly Manifest[]) =>
    (find(manifests, 'ConfigMap') as unknown as { data: Record<string, string> }).data;
  const { template, selector } = (
    find(base, 'Deployment') as unknown as {
      spec: { template: { metadata: { labels: object }; spec: PodSpec }; selector: object };
    }
  ).spec;
  const [container] = template.spec.containers;
  const specOf = (kind: string) => find(base, kind)['spec'] as Record<string, unknown>;

  it.each([
    ['the base', base],
    ['the example', example],
    ['the secret', [secret]],
  ])('agrees with the published schemas: %s', (_name, manifests) => {
    expect(schemaProblems(manifests)).toEqual(manifests.map(() => []));
  });

  it('is held to the schemas: a wrong type, a missing key and an unknown key are found', () => {
    const deployment = find(base, 'Deployment');
    const spec = deployment['spec'] as object;
    const wrong = [
      { ...deployment, spec: { ...spec, revisionHistoryLimit: 'three' } },
      { ...deployment, spec: { template } },
      { ...deployment, spec: { ...spec, replica: 2 } },
    ] as Manifest[];
    expect(schemaProblems(wrong)).toEqual([
      [expect.stringContaining('/spec/revisionHistoryLimit')],
      [expect.stringContaining('required')],
      ['/spec/replica: unknown'],
    ]);
  });

  it('names every manifest in a kustomization, but the example of the secret', () => {
    const files = [BASE, EXAMPLE].flatMap((folder) => globSync(`${folder}/*.yaml`));
    const named = [BASE, EXAMPLE].flatMap((folder) => {
      const text = readFileSync(`${folder}/kustomization.yaml`, 'utf8');
      return [...text.matchAll(/- (?:path: )?(\S+\.yaml)$/gm)].map(([, name]) => `${folder}/${name}`);
    });
    const kustomizations = [BASE, EXAMPLE].map((folder) => `${folder}/kustomization.yaml`);
    expect([...named, ...kustomizations, SECRET].toSorted()).toEqual(files.toSorted());
  });

  it.each([
    ['the base', base],
    ['the example', example],
  ])('gives settings that the service takes: %s', (_name, manifests) => {
    const settings = { ...settingsOf(manifests), ...stringData };
    expect(Object.keys(settings).filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
    expect(() => readSettings({ ...settings, NODE_ENV: 'production' })).toThrow(
      /ROOT_SECRET: must be base64/,
    );
    const complete = { ...settings, ROOT_SECRET: 'A'.repeat(44), NODE_ENV: 'production' };
    expect(() => readSettings(complete)).not.toThrow();
  });

  it('keeps addresses with passwords and keys out of the ConfigMap', () => {
    const secretNames = Object.keys(stringData);
    expect(secretNames.toSorted()).toEqual([
      'DATABASE_URL',
      'METRICS_TOKEN',
      'REDIS_URL',
      'ROOT_SECRET',
      'SMTP_URL',
    ]);
    expect(Object.keys(settingsOf(base)).filter((name) => secretNames.includes(name))).toEqual([]);
    expect(container.envFrom).toEqual([
      { configMapRef: { name: find(base, 'ConfigMap').metadata.name } },
      { secretRef: { name: secret.metadata.name } },
    ]);
  });

  it("asks the routes of the service on the image's port", () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
      paths: Record<string, object>;
    };
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet)).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
    for (const { httpGet } of probes) expect(paths).toHaveProperty([httpGet.path, 'get']);
    const port = Number(Dockerfile.read().environment['PORT']);
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
    expect(specOf('Service')).toMatchObject({ ports: [{ targetPort: 'http' }] });
  });

  it('gives a replica time to migrate and to end', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).toBeGreaterThan(MIGRATION_SECONDS);
    for (const manifests of [base, example]) {
      const { DRAIN_SECONDS } = settingsOf(manifests);
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
        Number(DRAIN_SECONDS) + SHUTDOWN_SECONDS,
      );
    }
  });

  it('meets the restricted pod security standard with a read-only file system', () => {
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('selects the pods of the deployment everywhere', () => {
    const { labels } = template.metadata;
    const { name } = find(base, 'Deployment').metadata;
    expect(selector).toEqual({ matchLabels: labels });
    expect(specOf('Service')['selector']).toEqual(labels);
    expect(specOf('PodDisruptionBudget')['selector']).toEqual({ matchLabels: labels });
    expect(specOf('NetworkPolicy')['podSelector']).toEqual({ matchLabels: labels });
    expect(specOf('HorizontalPodAutoscaler')['scaleTargetRef']).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name,
    });
  });

  it('keeps two replicas or more, of which one may be missing', () => {
    for (const manifests of [base, example]) {
      const { minReplicas, maxReplicas } = find(manifests, 'HorizontalPodAutoscaler')['spec'] as Record<
        string,
        number
      >;
      expect(minReplicas).toBeGreaterThanOrEqual(2);
      expect(maxReplicas).toBeGreaterThan(Number(minReplicas));
    }
    expect(specOf('PodDisruptionBudget')['maxUnavailable']).toBe(1);
    expect(specOf('Deployment')).not.toHaveProperty('replicas');
  });

  it('lets the service reach the ports of the addresses in its secret', () => {
    const rules = specOf('NetworkPolicy')['egress'] as { to?: object; ports: { port: number }[] }[];
    const open = rules
      .filter(({ to }) => to === undefined)
      .flatMap(({ ports }) => ports.map(({ port }) => port));
    const defaults: Record<string, number> = { 'postgres:': 5432, 'rediss:': 6379 };
    const wanted = Object.values(stringData)
      .filter((value) => URL.canParse(value))
      .map((value) => {
        const { protocol, port } = new URL(value);
        return Number(port) || defaults[protocol];
      });
    expect(open.toSorted()).toEqual(wanted.toSorted());
  });

  it('changes in the example what the overlay says', () => {
    const deployment = find(example, 'Deployment')['spec'] as { template: { spec: PodSpec } };
    expect(deployment.template.spec.containers[0].image).toBe('registry.example.com/gatehouse:1.0.0');
    expect(settingsOf(example)).toMatchObject({
      PUBLIC_URL: 'https://accounts.acme.example',
      DRAIN_SECONDS: '10',
    });
    const outside = example.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'gatehouse',
    );
    expect(outside).toEqual([]);
  });
});

function find(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.filter((one) => one.kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} of kind ${kind}`);
  return found[0] as Manifest;
}

/** What the schemas of Kubernetes say against each object. */
function schemaProblems(manifests: readonly Manifest[]): string[][] {
  const input = JSON.stringify(manifests);
  return JSON.parse(
    execFileSync(process.execPath, ['test/support/kubernetes-schemas.mjs'], { input, encoding: 'utf8' }),
  ) as string[][];
}
