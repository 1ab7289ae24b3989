import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import SCIMMY from 'scimmy';
import { ulid } from 'ulid';
import { Organization } from '../../support/organization.js';
import { GROUP_SCHEMA, ScimDirectory, verifyDomain } from '../../support/scim-directory.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TestApp } from '../../support/test-app.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PARSER = 'scim-query-filter-parser@2.0.4';
type Resource = Record<string, unknown> & { readonly id: string };

/** Filters that both libraries read as RFC 7644 means them. */
const FILTERS = [
  'userName pr',
  'title pr',
  'title eq "Driver"',
  'title co "ack"',
  'title sw "Dri"',
  'title ew "er"',
  'title gt "Driver"',
  'title le "Driver"',
  'active eq true',
  'active eq false',
  'active ne true',
  'name.familyName eq "King"',
  'name.familyName sw "L" and name.givenName eq "Ada"',
  'title eq "Driver" or title eq "Picker"',
  'title eq "Driver" or title eq "Picker" and active eq false',
  '(title eq "Driver" or title eq "Picker") and active eq false',
  'emails[type eq "home"]',
  'emails[type eq "work" and primary eq true]',
  'emails[type eq "home" and primary eq true]',
  'emails[type eq "home"] and title pr',
];

/** scim-query-filter-parser does not parse these, or leaves out resources without the attribute. */
const FILTERS_OF_SCIMMY = [
  'not (title pr)',
  'title ne "Driver"',
  'not (title eq "Driver") and active eq true',
  'emails[not (type eq "work")]',
];

/** Software of other authors that reads what the service answers. */
describe('A directory, read by libraries of npm,', () => {
  let app: TestApp;
  let directory: ScimDirectory;
  let users: Resource[];
  let compile: (filter: string) => (resource: Resource) => boolean;
  beforeAll(async () => {
    const folder = temporaryFolder('scim-counterparts');
    const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
    execFileSync('npm', ['init', '-y'], { cwd: folder });
    execFileSync('npm', ['install', ...quiet, PARSER], { cwd: folder });
    const load = createRequire(join(folder, 'package.json'));
    ({ compileFilter: compile } = load('scim-query-filter-parser') as { compileFilter: typeof compile });
    app = await TestApp.start();
    const organization = await Organization.found(app);
    const domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    directory = await ScimDirectory.create(organization);
    for (const title of ['Driver', 'Picker', 'Packer', undefined])
      for (const [n, active] of [true, false, true].entries()) {
        const email = `${ulid().toLowerCase()}@${domain}`;
        await directory.create(email, {
          title,
          active,
          name: { givenName: 'Ada', familyName: n === 0 ? 'King' : 'Lovelace' },
          emails: [
            { value: email, type: 'work', primary: n !== 2 },
            ...(n === 1 ? [] : [{ value: `home-${email}`, type: 'home', primary: n === 2 }]),
          ],
          ...(n !== 1 && {
            [ENTERPRISE]: { department: n === 0 ? 'Engines' : 'Mills', employeeNumber: '7' },
          }),
        });
      }
    users = (await listed('/Users?count=100')) as Resource[];
  });
  afterAll(() => app.stop());

  const listed = async (path: string) => {
    const { status, body } = await directory.call('GET', path);
    expect([status, body['detail']]).toEqual([200, undefined]);
    return body['Resources'] as Resource[];
  };
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).toSorted();

  const found = async (filter: string) =>
    ids(await listed(`/Users?count=100&filter=${encodeURIComponent(filter)}`));
  const byScimmy = (filter: string) =>
    ids(new SCIMMY.Types.Filter(filter).match(users as never) as unknown as Resource[]);

  it.each(FILTERS)('finds what scim-query-filter-parser and SCIMMY find by %s', async (filter) => {
    const ours = await found(filter);
    expect(ours).toEqual(ids(users.filter(compile(filter))));
    expect(ours).toEqual(byScimmy(filter));
  });

  it.each(FILTERS_OF_SCIMMY)('finds what SCIMMY finds by %s', async (filter) => {
    expect(await found(filter)).toEqual(byScimmy(filter));
  });

  it('answers users, groups, lists and errors that SCIMMY accepts', async () => {
    SCIMMY.Schemas.User.definition.extend(SCIMMY.Schemas.EnterpriseUser.definition);
    for (const user of users) {
      const { name, emails, userName } = new SCIMMY.Schemas.User(user as never, 'out') as unknown as Resource;
      expect({ name, emails, userName }).toMatchObject({
        name: user['name'],
        emails: user['emails'],
        userName: user['userName'],
      });
    }
    const members = users.map(({ id: value }) => ({ value }));
    const group = { schemas: [GROUP_SCHEMA], displayName: 'Dispatch', members };
    const { body } = await directory.call('POST', '/Groups', group);
    const read = new SCIMMY.Schemas.Group(body as never, 'out') as unknown as {
      members: { value: string }[];
    };
    expect(read.members.map(({ value }) => value).toSorted()).toEqual(ids(users));
    const page = (await directory.call('GET', '/Users?startIndex=3&count=5')).body;
    const list = new SCIMMY.Messages.ListResponse(page as never, { startIndex: 3, itemsPerPage: 5 });
    expect(list).toMatchObject({ totalResults: 12, startIndex: 3, itemsPerPage: 5 });
    const error = (await directory.call('GET', '/Users?filter=x')).body;
    // What it receives, it throws.
    expect(() => new SCIMMY.Messages.ErrorResponse(error as never)).toThrow(String(error['detail']));
  });
});
