import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { freePort } from '../support/built-service.js';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { type Visitor, withPortal } from '../support/portal.js';
import { signUpOperator } from '../support/satellite.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const EXAMPLE = 'examples/mcp-server';
/** A development dependency that the checks do not need. */
const SDK = resolve('node_modules/@modelcontextprotocol/sdk/package.json');
const NAME = 'Example agent';

/** A program of the example, and what it says. */
class Program {
  readonly lines: Record<string, unknown>[] = [];
  readonly faults: string[] = [];
  private constructor(private readonly process: ChildProcess) {}

  static async start(file: string, env: Record<string, string>): Promise<Program> {
    const child = spawn(process.execPath, [file], { cwd: EXAMPLE, env: { ...process.env, ...env } });
    const program = new Program(child);
    createInterface({ input: child.stdout }).on('line', (line) =>
      program.lines.push(line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : { line }),
    );
    child.stderr.on('data', (chunk: Buffer) => program.faults.push(chunk.toString()));
    await eventually(`${file} runs: ${program.faults.join('')}`, () => program.lines.length > 0, 20_000);
    return program;
  }

  /** Presses Enter. @returns what it says next */
  async call(): Promise<Record<string, unknown>> {
    const { length } = this.lines;
    this.process.stdin?.write('\n');
    await eventually('the agent answers', () => this.lines.length > length, 10_000);
    return this.lines[length] ?? {};
  }

  stop(): void {
    this.process.kill();
  }
}

describeWith([CHROMIUM, 'openssl', SDK], 'An MCP server and an agent by the public SDK', () => {
  let visitor: Visitor;
  let site: Server;
  let clientId: string;
  const programs: Program[] = [];
  const before = getCACertificates('default');
  const { app, portal } = withPortal({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    const folder = temporaryFolder('mcp');
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync('openssl', ['req', '-x509', ...ec, '-keyout', key, '-out', cert, '-days', '2', ...subject], {
      stdio: 'ignore',
    });
    setDefaultCACertificates([...before, readFileSync(cert, 'utf8')]);
    site = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          client_id: clientId,
          client_name: NAME,
          redirect_uris: ['http://127.0.0.1/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
        }),
      );
    });
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    clientId = `https://127.0.0.1:${(site.address() as AddressInfo).port}/client.json`;
    visitor = await portal.visitor();
  });
  afterAll(() => {
    programs.forEach((program) => program.stop());
    setDefaultCACertificates(before);
    site.close();
  });

  it('find the way from the 401 to a call of a tool, with the consent of a person, until they withdraw it', async () => {
    const operator = await signUpOperator(app);
    const acme = await Organization.found(app);
    const resource = `http://127.0.0.1:${await freePort()}/mcp`;
    const asOperator = { token: operator.token };
    const api = await app.call(
      'POST',
      '/api/v1/iam/apis',
      { identifier: resource, name: 'Orders', scopes: [{ name: 'orders:read', title: 'Read your orders' }] },
      asOperator,
    );
    const id = String(api.body['id']);
    const { body } = await app.call('POST', `/api/v1/iam/apis/${id}/credentials`, undefined, asOperator);
    const secret = String(body['clientSecret']);
    const policy = { clients: 'listed', listed: [clientId], scopes: [`${id}/orders:read`] };
    expect((await acme.call('PUT', '/agent-policy', policy)).status).toBe(200);
    programs.push(
      await Program.start('server.ts', {
        RESOURCE: resource,
        ISSUER: app.url,
        API_ID: id,
        API_SECRET: secret,
      }),
    );
    const redirect = `http://127.0.0.1:${await freePort()}/callback`;
    const agent = await Program.start('agent.ts', {
      SERVER: resource,
      CLIENT_ID: clientId,
      REDIRECT_URI: redirect,
    });
    programs.push(agent);

    const { open } = await agent.call();
    expect([open, agent.faults]).toEqual([expect.stringContaining(`${app.url}/oauth2/authorize?`), []]);
    expect(new URL(String(open)).searchParams.get('client_id')).toBe(clientId);
    // It redeems no response of another server, or to another request.
    const state = new URL(String(open)).searchParams.get('state') ?? '';
    const mixedUp: Record<string, string>[] = [
      { code: 'x', state, iss: 'https://evil.example' },
      { code: 'x', state },
      { code: 'x', state: 'x', iss: app.url },
    ];
    for (const response of mixedUp)
      expect((await fetch(`${redirect}?${new URLSearchParams(response)}`)).status).toBe(400);
    await visitor.page.goto(String(open));
    await visitor.signIn(acme.owner.person);
    await visitor.reads(`The app is from ${new URL(clientId).host}`);
    await visitor.reads(`The name ${NAME} has not been checked`);
    await visitor.reads(`You continue to ${new URL(redirect).host}`);
    await visitor.reads('The answer goes to a program on this computer');
    await visitor.reads('Read your orders');
    await visitor.reads(`${NAME} acts in the organization Lovelace Logistics`);
    await visitor.press(/^Continue as/);
    await visitor.reads('The agent is connected.');

    const { result } = await agent.call();
    const [content] = (result as { content: { text: string }[] }).content;
    expect(JSON.parse(content?.text ?? '')).toEqual({
      orders: [`order of ${acme.id}`],
      person: expect.any(String),
      agent: clientId,
    });

    await visitor.goto('/account/apps');
    await visitor.reads(NAME);
    await visitor.press(`Withdraw ${NAME}`);
    await visitor.press('Withdraw');
    await visitor.reads(`${NAME} is no longer authorized.`);
    await eventually('the next call is refused', async () => 'open' in (await agent.call()), 1_000);
    expect(agent.faults).toEqual([]);
  });
});
