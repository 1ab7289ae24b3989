import { parseCommand, usage } from '../../src/cli/commands.js';
import { reasonOf } from '../../src/cli/reason.js';
import { BuiltService, runBuilt } from '../support/built-service.js';
import { Person } from '../support/organization.js';
import { TestSatellite } from '../support/satellite.js';
import { TestApp } from '../support/test-app.js';

const CLI = 'dist/src/cli/main.js';
const register = ['satellite:register', '--client-id', 'help-centre', '--name', 'Help centre'];
const uris = ['--redirect-uri', 'https://help.example.com/a', '--redirect-uri', 'https://help.example.com/b'];

/** Runs the commands in processes of their own, next to a running service, as operators do. */
describe('The command line', () => {
  let service: BuiltService;
  beforeAll(async () => {
    service = await BuiltService.start();
  });
  afterAll(() => service.stop());

  const run = (...words: string[]) => runBuilt(CLI, words, service.environment);
  const resultOf = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const account = ({ email, password }: Person) => ({ email, password });

  it('registers a satellite and rotates its secret', async () => {
    const registered = await resultOf(...register, ...uris);
    expect(registered).toEqual({
      id: expect.any(String),
      clientId: 'help-centre',
      clientSecret: expect.stringMatching(/^ghs_[\w-]{43}$/),
      name: 'Help centre',
      redirectUris: ['https://help.example.com/a', 'https://help.example.com/b'],
      scopes: [],
    });
    const rotated = await resultOf('satellite:rotate-secret', '--client-id', 'help-centre');
    expect(rotated).toEqual({
      clientId: 'help-centre',
      clientSecret: expect.stringMatching(/^ghs_[\w-]{43}$/),
      previousValidUntil: expect.any(String),
    });
    expect(rotated['clientSecret']).not.toBe(registered['clientSecret']);
  });

  it('registers a satellite with scopes and replaces them', async () => {
    const careers = [
      '--client-id',
      'careers',
      '--name',
      'Careers',
      '--redirect-uri',
      'https://c.example.com/',
    ];
    const scopes = ['--scope', 'iam:tenant:read', '--scope', 'iam:member:read'];
    expect(await resultOf('satellite:register', ...careers, ...scopes)).toMatchObject({
      scopes: ['iam:tenant:read', 'iam:member:read'],
    });
    const name = ['--client-id', 'careers'];
    expect(await resultOf('satellite:set-scopes', ...name, '--scope', '*')).toEqual({
      clientId: 'careers',
      scopes: ['*'],
    });
    expect(await resultOf('satellite:set-scopes', ...name)).toEqual({ clientId: 'careers', scopes: [] });
  });

  it('disables and enables a satellite', async () => {
    const uri = 'https://forum.example.com/callback';
    const forum = ['--client-id', 'forum', '--name', 'Forum', '--redirect-uri', uri];
    const { clientSecret } = await resultOf('satellite:register', ...forum);
    const satellite = new TestSatellite(service, 'forum', String(clientSecret), uri);
    const person = await Person.signUp(service);
    const { accessToken } = await satellite.signIn(person.token);
    const asked = async () => (await service.get('/api/v1/iam/me', accessToken)).status;
    const name = ['--client-id', 'forum'];
    expect(await asked()).toBe(200);
    expect(await resultOf('satellite:disable', ...name)).toEqual({ clientId: 'forum', status: 'disabled' });
    expect(await asked()).toBe(401);
    expect(await resultOf('satellite:enable', ...name)).toEqual({ clientId: 'forum', status: 'active' });
    expect(await asked()).toBe(200);
  });

  it('grants and revokes the role of an operator, effective at once', async () => {
    const person = await Person.signUp(service);
    const list = () => service.get('/api/v1/iam/satellites', person.token);
    expect((await list()).status).toBe(403);
    expect(await resultOf('operator:grant', '--email', person.email.toUpperCase())).toEqual({
      operatorId: person.id,
    });
    expect((await list()).status).toBe(200);
    expect(await resultOf('operator:revoke', '--email', person.email)).toEqual({ operatorId: person.id });
    expect((await list()).status).toBe(403);
  });

  it('suspends a person at once, by address or id, and restores them', async () => {
    const person = await Person.signUp(service);
    const asked = async () => (await service.get('/api/v1/iam/me', person.token)).status;
    const byAddress = ['--account', person.email.toUpperCase()];
    const byId = ['--account', person.id];
    const suspended = { accountId: person.id, status: 'suspended' };
    expect(await asked()).toBe(200);
    expect(await resultOf('account:suspend', ...byAddress)).toEqual(suspended);
    expect(await asked()).toBe(401);
    expect(await resultOf('account:suspend', ...byId)).toEqual(suspended);
    expect((await service.post('login', account(person))).status).toBe(401);
    const active = { accountId: person.id, status: 'active' };
    expect(await resultOf('account:restore', ...byId)).toEqual(active);
    expect(await resultOf('account:restore', ...byAddress)).toEqual(active);
    expect((await service.post('login', account(person))).status).toBe(200);
    expect(await asked()).toBe(401);
  });

  it('ends the sessions of a person, who can sign in again', async () => {
    const person = await Person.signUp(service);
    const ended = (count: number) => ({ accountId: person.id, ended: count });
    expect(await resultOf('sessions:end', '--account', person.email)).toEqual(ended(1));
    expect((await service.get('/api/v1/iam/me', person.token)).status).toBe(401);
    expect(await resultOf('sessions:end', '--account', person.id)).toEqual(ended(0));
    await Person.again(person);
  });

  it('reports errors and exits with status 1', async () => {
    const { code, stdout, stderr } = await run('operator:grant', '--email', 'eve@example.com');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('email There is no verified account with this address.\n');
  });

  it('prints the usage for an unknown command and exits with status 2', async () => {
    const { code, stdout, stderr } = await run('nonsense');
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: usage() });
  });
});

/** Runs the commands in this process: each process of its own takes a second of processor time. */
describe('A command', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
    await app.command(...register, ...uris);
  });
  afterAll(() => app.stop());

  it.each([
    [[...register, ...uris], 'A satellite with the client id help-centre already exists.'],
    [
      [...register, '--redirect-uri', 'http://help.example.com/a'],
      'redirectUris[0] must be an https address',
    ],
    [['satellite:register', '--client-id', 'X', '--name', '', '--redirect-uri', 'x'], 'clientId must be'],
    [['satellite:rotate-secret', '--client-id', 'unknown'], 'The resource does not exist.'],
    [['satellite:set-scopes', '--client-id', 'unknown'], 'The resource does not exist.'],
    [[...register, ...uris, '--scope', 'iam:tenant:explode'], 'scopes[0] There is no such permission.'],
    [['satellite:disable', '--client-id', 'unknown'], 'The resource does not exist.'],
    [
      ['operator:grant', '--email', 'unknown@example.com'],
      'email There is no verified account with this address.',
    ],
    [
      ['account:suspend', '--account', 'unknown@example.com'],
      'account There is no account with this address or id. Logs and audit',
    ],
    [['account:restore', '--account', '01K3V9D7Q8Z4X5N6M7P8R9S0T1'], 'account There is no account'],
    [['sessions:end', '--account', ''], 'account There is no account'],
  ])('reports what is wrong with %j', async (words, sentence) => {
    const reason = await app.command(...words).then(() => 'nothing', reasonOf);
    expect(reason).toContain(sentence);
  });

  it.each([
    [[]],
    [['nonsense']],
    [['constructor']],
    [['satellite:register', '--client-id', 'x']],
    [['operator:grant', '--mail', 'x']],
  ])('is not known by %j', (words) => {
    expect(parseCommand(words)).toBeNull();
  });

  it('has its options named in the usage', () => {
    expect(usage()).toContain('satellite:register --client-id ID --name NAME --redirect-uri URI');
  });
});
