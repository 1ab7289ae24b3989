import { readFileSync } from 'node:fs';
import { Organization } from '../../support/organization.js';
import { type Answer, withApp } from '../../support/test-app.js';

type Call = (method: string, path: string, body?: object) => Promise<Answer>;

/** A route of an organization that shows a secret. */
interface Shown {
  readonly operationId: string;
  /** Scope of the route. */
  readonly scope: string;
  /**
   * Prepares what the secret opens, as an owner, and returns the request of a caller who holds the
   * scope and nothing that the secret opens.
   */
  readonly request: (owner: Call) => Promise<readonly [method: string, path: string, body?: object]>;
  readonly answer: object;
}

const EXCEEDS = { status: 403, body: { code: 'state_forbids' } };
const made = async (owner: Call, path: string, body: object): Promise<string> => {
  const { status, body: found } = await owner('POST', path, body);
  expect([path, status]).toEqual([path, 201]);
  return String(found['id']);
};
const adminAccount = (owner: Call) => made(owner, '/service-accounts', { name: 'CI', roles: ['admin'] });
const HOOKS = '/api/v1/webhooks/subscriptions';
const invitations = { url: 'https://receiver.example/', types: ['iam.invitation.*'] };

/** Secrets that open what other scopes are for: to rotate or create one is no way to it. */
const SHOWN: readonly Shown[] = [
  {
    operationId: 'createApiKey',
    scope: 'iam:api-key:create',
    request: async (owner) => [
      'POST',
      `/service-accounts/${await adminAccount(owner)}/keys`,
      { name: 'Mine' },
    ],
    answer: EXCEEDS,
  },
  {
    operationId: 'createClientCredential',
    scope: 'iam:api-key:create',
    request: async (owner) => [
      'POST',
      `/service-accounts/${await adminAccount(owner)}/credentials`,
      { kind: 'secret' },
    ],
    answer: EXCEEDS,
  },
  {
    operationId: 'createSubscription',
    scope: 'webhooks:subscription:create',
    request: async () => ['POST', HOOKS, invitations],
    answer: { status: 400, body: { violations: [{ propertyPath: 'types[0]' }] } },
  },
  {
    operationId: 'rotateSubscriptionSecret',
    scope: 'webhooks:subscription:rotate',
    request: async (owner) => ['POST', `${HOOKS}/${await made(owner, HOOKS, invitations)}/rotate-secret`],
    answer: EXCEEDS,
  },
  {
    operationId: 'createDirectoryToken',
    scope: 'iam:directory-token:create',
    request: async (owner) => {
      const path = `/directories/${await made(owner, '/directories', { name: 'Entra ID' })}`;
      const rules = { rules: [{ group: 'Admins', roles: ['admin'] }] };
      expect((await owner('PUT', `${path}/rules`, rules)).status).toBe(200);
      return ['POST', `${path}/tokens`, { name: 'Mine' }];
    },
    answer: EXCEEDS,
  },
];

/** Where the others are tested, or why their scope is all that the secret opens. */
const OTHERS: Readonly<Record<string, string | readonly [spec: string, title: string]>> = {
  createMyKey: ['machine/api-keys', 'can be limited to scopes that the person holds'],
  beginTotp: 'The secret of an authenticator of the caller.',
  createApiCredential: 'By operators: it reads tokens of one API, whose owner the caller is.',
  createTenantApiCredential: 'It reads tokens of one API, which the holder of the scope manages.',
  registerTenantClient: 'A client reaches nothing without the sign-in of a person.',
  rotateTenantClientSecret: ['openid/member-consent', 'leaves its addresses, keys and secret as they are'],
  registerSatellite: 'A satellite reaches nothing without the sign-in of a person.',
  rotateSatelliteSecret: 'A satellite reaches nothing without the sign-in of a person.',
  createPlatformSubscription: ['webhook/webhooks', 'are made and tested by operators who may see them'],
  rotatePlatformSubscriptionSecret: ['webhook/webhooks', 'are made and tested by operators who may see them'],
  createSetupDirectoryToken: [
    'connection/setup-links',
    'creates no token of a directory that gives more than the creator of the link could',
  ],
};

/** Attack 42.14: a caller rotates the secret of what they may not read. */
describe('A secret that a route shows', () => {
  const app = withApp();

  it('is shown by these routes, and by those that sign in', async () => {
    const { paths, components } = (await (
      await fetch(`${app.url}/api/docs/openapi.json`)
    ).json()) as Document;
    const shows = ({ responses }: Operation) =>
      Object.entries(responses).some(([status, { content = {} }]) => {
        const names = Object.values(content).flatMap(({ schema: { $ref = '' } }) => {
          const name = $ref.split('/').at(-1) ?? '';
          return Object.keys(components.schemas[name]?.properties ?? {});
        });
        return status.startsWith('2') && names.some((name) => SECRETS.includes(name));
      });
    const found = Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap((one) => (shows(one) ? [one.operationId] : [])),
    );
    const known = [...SHOWN.map(({ operationId }) => operationId), ...Object.keys(OTHERS)];
    expect(found.filter((one) => !NO_SECRETS.includes(one)).toSorted()).toEqual(known.toSorted());
  });

  it.each(SHOWN)('is not shown by $operationId to who may not do what it opens', async (shown) => {
    const organization = await Organization.found(app);
    const owner: Call = (method, path, body) => call(organization, method, path, body);
    const [method, path, body] = await shown.request(owner);
    const { scope } = shown;
    await organization.call('POST', '/roles', { key: 'rotator', name: 'Rotator', scopes: [scope] });
    const { token } = await organization.join('rotator');
    expect(await call(organization, method, path, body, token)).toMatchObject(shown.answer);
    expect((await call(organization, method, path, body)).status).toBeLessThan(300);
  });

  it.each(
    Object.entries(OTHERS).flatMap(([operationId, where]) =>
      typeof where === 'string' ? [] : [[operationId, ...where] as const],
    ),
  )('of %s is tested in %s', (_, spec, title) => {
    expect(readFileSync(`test/e2e/${spec}.spec.ts`, 'utf8')).toContain(title);
  });

  const call = (
    organization: Organization,
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<Answer> =>
    path.startsWith('/api/')
      ? app.call(method, path, body, { token: token ?? organization.owner.token })
      : organization.call(method, path, body, token);
});

/** Names of secrets in answers. */
const SECRETS = ['secret', 'clientSecret', 'key', 'token'];
/** Routes that answer with a field of such a name that is none: the key of a role is its name. */
const NO_SECRETS = ['createRole', 'getRole', 'updateRole'];

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: { $ref?: string } }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}
