import { Controller, Get, Module } from '@nestjs/common';
import {
  ApiExcludeController,
  Input,
  type Page,
  PageOf,
  Public,
  QueryOf,
} from '../../../src/platform/api/index.js';
import { type Answer, TestApp, withApp } from '../../support/test-app.js';
import { Organization } from '../../support/organization.js';

class CratesQuery {
  @Input.word(['open', 'shut'], { optional: true })
  state?: string;
  @Input.text({ max: 5, example: 'red' })
  colour: string;
}

@ApiExcludeController()
@Controller('api/v1/logistics/crates')
class CrateController {
  @Get()
  @Public('of a test')
  list(@PageOf() { limit }: Page, @QueryOf(CratesQuery) query: CratesQuery): object {
    return { limit, ...query };
  }
}

@Module({ controllers: [CrateController] })
class CratesModule {}

const ME = '/api/v1/iam/me';
const violationsOf = ({ status, body }: Answer) => [status, body['violations']];
const unknown = (propertyPath: string) => ({
  propertyPath,
  message: 'is not a query parameter of this path',
});
const repeated = (propertyPath: string) => ({ propertyPath, message: 'must not be repeated' });

describe('A query parameter', () => {
  let organization: Organization;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
  });
  const get = (path: string) => app.get(path, organization.owner.token);

  it('is refused if the path does not take it, each by its name', async () => {
    const members = `/api/v1/iam/tenants/${organization.id}/members`;
    expect(violationsOf(await get(`${members}?limt=1&limit=1&search=gra`))).toEqual([
      400,
      [unknown('limt'), unknown('search')],
    ]);
    expect(violationsOf(await get(`${members}?Limit=1`))).toEqual([400, [unknown('Limit')]]);
    expect(violationsOf(await get(`${ME}?limit=1`))).toEqual([400, [unknown('limit')]]);
    expect(violationsOf(await get(`${ME}?a%20b%0A=1&__proto__=2&filter[x]=3&=4`))).toEqual([
      400,
      [unknown('a%20b%0A'), unknown('__proto__'), unknown('filter[x]'), unknown('')],
    ]);
  });

  it('is refused if it is repeated', async () => {
    expect(violationsOf(await get(`${ME}/sessions?limit=1&limit=1&cursor=&cursor=`))).toEqual([
      400,
      [repeated('limit'), repeated('cursor')],
    ]);
  });

  it('is refused for commands as well, which then do nothing', async () => {
    const before = await app.sql('SELECT count(*) FROM tenants');
    const { token } = organization.owner;
    const created = await app.call('POST', '/api/v1/iam/tenants?draft=true', { name: 'Quay' }, { token });
    expect(violationsOf(created)).toEqual([400, [unknown('draft')]]);
    expect(await app.sql('SELECT count(*) FROM tenants')).toEqual(before);
    const { email, password } = organization.owner.person;
    const signedIn = await app.post('login?next=/', { email, password });
    expect(violationsOf(signedIn)).toEqual([400, [unknown('next')]]);
  });

  it('may be missing, and a question mark alone is no parameter', async () => {
    expect((await get(ME)).status).toBe(200);
    expect((await get(`${ME}?`)).status).toBe(200);
    expect((await get(`${ME}/sessions?&limit=1`)).status).toBe(200);
  });

  it('tells nothing to a caller who may not know: 401, 403, 404 and 405 come first', async () => {
    const stranger = await Organization.found(app);
    expect((await app.get(`${ME}?x=1`)).status).toBe(401);
    expect((await app.get(`/api/v1/iam/satellites?x=1`, stranger.owner.token)).status).toBe(403);
    expect((await get(`/api/v1/iam/tenants/${stranger.id}?x=1`)).status).toBe(404);
    expect((await app.get('/api/v1/iam/auth/login?x=1')).status).toBe(405);
  });

  it('is ignored by callbacks, metadata, the API documentation and what is not below /api/', async () => {
    for (const path of ['/api/docs', '/api/docs/openapi.json', '/healthz', '/readyz', '/errors/conflict'])
      expect([path, (await app.get(`${path}?utm=1&utm=2`)).status]).toEqual([path, 200]);
    expect((await app.get('/.well-known/jwks.json?utm=1')).status).toBe(200);
    const problem = async (path: string) => {
      const { status, body } = await app.get(path);
      return [status, body['violations']];
    };
    const external = '/api/iam/auth/external';
    for (const path of [`${external}/google_oauth/callback`, `${external}/saml/metadata`])
      expect(await problem(`${path}?utm=1&utm=2`)).toEqual(await problem(path));
  });

  it('of a team is declared by the class that reads it, and validated as a body is', async () => {
    const other = await TestApp.with(CratesModule);
    try {
      const crates = (query: string) => fetch(`${other.url}/api/v1/logistics/crates${query}`);
      const read = async (query: string) => (await crates(query)).json() as Promise<Answer['body']>;
      expect(await read('?state=open&colour=red&limit=3')).toEqual({
        limit: 3,
        state: 'open',
        colour: 'red',
      });
      expect((await read('?state=ajar&colour=crimson'))['violations']).toMatchObject([
        { propertyPath: 'state' },
        { propertyPath: 'colour' },
      ]);
      expect((await read(''))['violations']).toMatchObject([{ propertyPath: 'colour' }]);
      expect((await read('?colour=red&colour=blue'))['violations']).toEqual([repeated('colour')]);
      expect((await read('?colour=red&size=1'))['violations']).toEqual([unknown('size')]);
    } finally {
      await other.stop();
    }
  });
});
