import { readdirSync, readFileSync } from 'node:fs';
import { addressOf, type Recipe, RECIPES } from '../../../portal/src/pages/organization/apps/recipes.js';
import { Organization, type Person } from '../../support/organization.js';
import { signUpOperator } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

const FOLDER = 'docs/apps';
const PAGES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => name.replace(/\.md$/, ''));
/** The issuer of the pages. */
const ISSUER = 'https://login.example.com';
/** Fields that hold several values. */
const LISTS = ['redirectUris', 'postLogoutRedirectUris', 'grantTypes'];
/** Products that send no nonce, whatever is configured. */
const WITHOUT_NONCE = ['grafana', 'oidc-agent', 'wordpress'];
/** Settings of the pages whose value is a claim. */
const CLAIM_SETTINGS =
  /(?:attribute_path = |--mapping-\w[\w-]*=|(?:Name|name)Field(?:Name)?: |FieldName: |uid_field: "|RemoteUserClaim |(?:Identity|Nickname) Key +\| `)([a-z_]+)(?=["\s`])/g;
/** What a single-page app calls, by the words of its page. */
const CORS_PATHS: Readonly<Record<string, string>> = {
  discovery: '/.well-known/openid-configuration',
  keys: '/.well-known/jwks.json',
  par: '/oauth2/par',
  device_authorization: '/oauth2/device_authorization',
  token: '/oauth2/token',
  userinfo: '/oauth2/userinfo',
  revoke: '/oauth2/revoke',
};
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const pageOf = (name: string): string => readFileSync(`${FOLDER}/${name}.md`, 'utf8');

/** Fields that a page says to register: the table below its first heading. */
function fieldsOf(page: string): Record<string, unknown> {
  const [, section = ''] = /## Register\n([\s\S]*?)\n## /.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| `(\w+)` *\| (.+?) *\|$/gm)];
  return Object.fromEntries(
    rows.map(([, field = '', cell = '']) => {
      const values = [...cell.matchAll(/`([^`]+)`/g)].map(([, value]) => value ?? '');
      const [first = ''] = values;
      if (LISTS.includes(field)) return [field, values];
      return [field, first === 'true' ? true : first];
    }),
  );
}

/** What the portal registers for a product at an address. */
const registrationOf = (recipe: Recipe, site: string) => ({
  tokenEndpointAuthMethod: recipe.tokenEndpointAuthMethod,
  redirectUris: recipe.redirectPaths.map((path) => addressOf(site, path)),
  postLogoutRedirectUris: recipe.postLogoutPaths.map((path) => addressOf(site, path)),
  ...(recipe.backchannelPath !== null && { backchannelLogoutUri: addressOf(site, recipe.backchannelPath) }),
});

describe('The recipes of docs/apps', () => {
  let operator: Person;
  let organization: Organization;
  let endpoints: Record<string, unknown>;
  const app = withApp();
  beforeAll(async () => {
    operator = await signUpOperator(app);
    organization = await Organization.found(app);
    endpoints = (await app.get('/.well-known/openid-configuration')).body;
  });

  it.each(PAGES)('of %s can be registered as it is written, and used with PKCE', async (name) => {
    const fields = fieldsOf(pageOf(name));
    expect(fields['redirectUris']).not.toHaveLength(0);
    const registration = { clientId: `of-${name}`, name, ...fields };
    const { status, body } = await app.call('POST', '/api/v1/iam/satellites', registration, {
      token: operator.token,
    });
    expect([status, body]).toEqual([201, expect.objectContaining(fields)]);
    for (const redirectUri of fields['redirectUris'] as string[]) {
      const query = new URLSearchParams({
        client_id: `of-${name}`,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid profile email',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
      });
      const answer = await fetch(`${app.url}/oauth2/authorize?${query}`, { redirect: 'manual' });
      expect(answer.headers.get('location')).toContain('/authorize?request=');
    }
  });

  it.each(PAGES)('of %s names only endpoints and scopes that discovery names', (name) => {
    const page = pageOf(name);
    const known = [ISSUER, `${ISSUER}/`, `${ISSUER}/.well-known/openid-configuration`];
    for (const value of Object.values(endpoints))
      if (typeof value === 'string') known.push(value.replace('http://gatehouse.test', ISSUER));
    const named = [...page.matchAll(/https:\/\/login\.example\.com[^\s`"'?,|)]*/g)].map(([url]) => url);
    for (const url of named) expect(known).toContain(url);
    const scopes = [...page.matchAll(/openid(?: [a-z]+)+(?=["`\n|' ])/g)].flatMap(([list]) =>
      list.split(' '),
    );
    for (const scope of scopes) expect(endpoints['scopes_supported']).toContain(scope);
  });

  it.each(PAGES)('of %s name only claims that discovery names', (name) => {
    const claims = [...pageOf(name).matchAll(CLAIM_SETTINGS)].map((match) => match.slice(1).join(''));
    for (const claim of claims) expect(endpoints['claims_supported']).toContain(claim);
  });

  it.each(PAGES)('of %s link to a logout that the person is asked about', async (name) => {
    for (const [link] of pageOf(name).matchAll(/https:\/\/login\.example\.com\/oauth2\/logout\?[^\s`]+/g)) {
      const { search, searchParams } = new URL(link.replace('client_id=', 'client_id=of-'));
      const answer = await fetch(`${app.url}/oauth2/logout${search}`, { redirect: 'manual' });
      const { pathname, searchParams: asked } = new URL(answer.headers.get('location') ?? '');
      expect([answer.status, pathname, asked.get('client_id')]).toEqual([
        303,
        '/sign-out',
        searchParams.get('client_id'),
      ]);
      expect(asked.get('post_logout_redirect_uri')).toBe(searchParams.get('post_logout_redirect_uri'));
    }
  });

  it('of a single-page app names the endpoints that answer every origin', async () => {
    const [, list = ''] = /accept every origin \(CORS\): (.+?)\. /.exec(pageOf('single-page-app')) ?? [];
    const paths = list.split(/, | and /).map((word) => CORS_PATHS[word.replaceAll('`', '')]);
    expect(paths).toHaveLength(Object.keys(CORS_PATHS).length);
    const allowedAt = async (path: string): Promise<string | null> => {
      const headers = { origin: 'https://orders.example.com', 'access-control-request-method': 'POST' };
      const answer = await fetch(app.url + path, { method: 'OPTIONS', headers });
      return answer.headers.get('access-control-allow-origin');
    };
    for (const path of paths) expect([path, await allowedAt(path ?? '')]).toEqual([path, '*']);
    // An API asks here, from its server.
    expect(await allowedAt('/oauth2/introspect')).toBeNull();
  });

  it.each(PAGES)('of %s protect the sign-in by state, nonce and PKCE, or say why not', (name) => {
    const [, usage = ''] = pageOf(name).split(/^## (?:Configure|Sign in)$/m);
    for (const part of ['`state`', '`nonce`', /PKCE/]) expect(usage).toMatch(part);
    const isWithoutNonce = usage.includes('no `nonce`: PKCE binds the code to the sign-in instead');
    expect([name, isWithoutNonce]).toEqual([name, WITHOUT_NONCE.includes(name)]);
  });

  it.each(PAGES)('of %s says how it was tested', (name) => {
    expect(pageOf(name).split('## ')[0]).toMatch(/Tested with|\*\*By its documentation only\*\*/);
  });

  it.each(RECIPES)('fill in the form of the portal for $name as the page says', async (recipe) => {
    const fields = fieldsOf(pageOf(recipe.id));
    const [first = ''] = fields['redirectUris'] as string[];
    const registration = registrationOf(recipe, `${new URL(first).origin}/`);
    const { grantTypes: _, firstParty: __, ...ofPage } = fields;
    expect({ tokenEndpointAuthMethod: 'client_secret_basic', ...ofPage }).toEqual(registration);
    const created = await organization.call('POST', '/clients', { name: recipe.name, ...registration });
    expect([created.status, created.body]).toEqual([201, expect.objectContaining(registration)]);
  });
});
