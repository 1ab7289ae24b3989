import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { ClientService } from '../../../src/client/index.js';
import { exitOf, freePort } from '../../support/built-service.js';
import { expectGuarded } from '../../support/guarded-request.js';
import { Person } from '../../support/organization.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** A run of a program, whose output is read while it runs. */
interface Run {
  readonly output: () => string;
  readonly status: Promise<number | null>;
}

describeWith(['oidc-agent'], 'oidc-agent, a native client', () => {
  let app: TestApp;
  let agent: ChildProcess;
  let folder: string;
  let port: number;
  let person: Person;
  beforeAll(async () => {
    const applicationPort = await freePort();
    port = await freePort();
    const issuer = `http://127.0.0.1:${applicationPort}`;
    app = await TestApp.start({ PORT: String(applicationPort), PUBLIC_URL: issuer });
    await app.app.get(ClientService, { strict: false }).register(null, {
      clientId: 'shell',
      name: 'Command line',
      type: 'public',
      redirectUris: [`http://localhost:${port}/`],
      grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE],
      firstParty: true,
    });
    folder = temporaryFolder('oidc-agent');
    // Without asking for a new sign-in, for which it would wait.
    const options = ['--console', '--json', '--no-autoreauthenticate'];
    agent = spawn('oidc-agent', [...options, `--socket-path=${folder}/agent.sock`], { env: environment() });
    await eventually('the agent listens', async () => (await run('oidc-agent', ['--status']).status) === 0);
  });
  beforeEach(async () => {
    person = await Person.signUp(app);
  });
  afterAll(async () => {
    agent?.kill('SIGKILL');
    if (agent) await exitOf(agent);
    await rm(folder, { recursive: true, force: true });
    await app.stop();
  });

  const environment = () => ({
    PATH: process.env['PATH'],
    HOME: folder,
    OIDC_CONFIG_DIR: folder,
    OIDC_SOCK: `${folder}/agent.sock`,
    OIDC_ENCRYPTION_PW: 'a-passphrase-of-this-test',
  });

  const run = (command: string, args: readonly string[]): Run => {
    const child = spawn(command, args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { output: () => output, status };
  };

  /** Begins a sign-in by the commands of docs/apps/oidc-agent.md. */
  const generate = (name: string, flow: 'code' | 'device') =>
    run('oidc-gen', [
      name,
      '--manual',
      `--issuer=${app.url}`,
      '--client-id=shell',
      '--client-secret=',
      `--redirect-uri=http://localhost:${port}/`,
      '--scope=openid profile email',
      `--flow=${flow}`,
      '--no-url-call',
      '--prompt=none',
      '--confirm-default',
      '--pw-env',
    ]);
  const tokenOf = async (name: string) => {
    const read = run('oidc-token', ['--force-new', name]);
    return { status: await read.status, token: read.output().trim() };
  };

  /** Waits for a part of what a program says. */
  const said = async (of: Run, pattern: RegExp): Promise<string> => {
    await eventually(`"${pattern.source}" in the output`, () => pattern.test(of.output()));
    return pattern.exec(of.output())?.[0] ?? '';
  };
  const approve = (path: string, body: object) =>
    app.call('POST', `/api/v1/iam/auth/${path}/approve`, body, { token: person.token });
  const open = async (url: string): Promise<string> =>
    (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';

  it('signs a person in by the code flow, by a server of its own on this machine', async () => {
    const generated = generate('by-code', 'code');
    const authorize = await said(generated, /http:\S+\/oauth2\/authorize\?\S+/);
    expectGuarded(authorize, { hasNonce: false });
    const page = await open(authorize);
    const { body } = await approve(`authorizations/${new URL(page).searchParams.get('request')}`, {});
    await open(String(body['redirectTo']));
    expect(await generated.status).toBe(0);
    const { token } = await tokenOf('by-code');
    expect((await app.get('/oauth2/userinfo', token)).body).toMatchObject({ email: person.email });
  });

  it('signs a person in by the device flow, renews its token, and ends with the session', async () => {
    const generated = generate('by-device', 'device');
    const userCode = await said(generated, /[A-Z]{4}-[A-Z]{4}/);
    expect((await approve('devices', { userCode })).status).toBe(204);
    expect(await generated.status).toBe(0);
    const [first, second] = [await tokenOf('by-device'), await tokenOf('by-device')];
    expect(decodeJwt(second.token)).toMatchObject({ client_id: 'shell', sid: person.sessionId });
    expect(second.token).not.toBe(first.token);
    await app.post('logout', undefined, { token: person.token });
    expect((await tokenOf('by-device')).status).not.toBe(0);
  });

  it('gets nothing if the person refuses', async () => {
    const generated = generate('refused', 'device');
    const userCode = await said(generated, /[A-Z]{4}-[A-Z]{4}/);
    await app.call('POST', '/api/v1/iam/auth/devices/deny', { userCode }, { token: person.token });
    expect(await generated.status).not.toBe(0);
  });
});
