import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { request, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { homedir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { ClientService } from '../../src/client/index.js';
import { freePort } from '../support/built-service.js';
import { CookieJar } from '../support/cookie-jar.js';
import { Person } from '../support/organization.js';
import { fieldsOf } from '../support/plain-browser.js';
import { Program } from '../support/program.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TestApp } from '../support/test-app.js';

const run = promisify(execFile);

export type Registration = Partial<Parameters<ClientService['register']>[1]>;

/** The files of the software: a package.json with its lock, and an app for each package. */
const SOFTWARE = join(process.cwd(), 'test/interop/software');
const CACHE = join(homedir(), '.cache/gatehouse/interop');

/** Installs the packages at the versions of the lock, once for each lock. @returns their folder */
async function installPackages(): Promise<string> {
  const lock = readFileSync(join(SOFTWARE, 'package-lock.json'));
  const folder = join(CACHE, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (existsSync(folder)) return join(folder, 'node_modules');
  const fresh = `${folder}-${randomBytes(4).toString('hex')}`;
  await mkdir(fresh, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) await cp(join(SOFTWARE, name), join(fresh, name));
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', options, { cwd: fresh, timeout: 170_000 });
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
  return join(folder, 'node_modules');
}

/**
 * Makes a key and its certificate for localhost.
 * @returns the file of the certificate that signs it
 */
async function certify(folder: string, key: string, chain: string): Promise<string> {
  const [authorityKey, authority] = [join(folder, 'authority.key.pem'), join(folder, 'authority.pem')];
  const make = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const signAlone = ['-days', '2', '-subj', '/CN=Interop', '-keyout', authorityKey, '-out', authority];
  await run('openssl', [...make, ...signAlone]);
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const extensions = ['-addext', names, '-addext', 'basicConstraints=critical,CA:FALSE'];
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-keyout', key, '-out', chain];
  await run('openssl', [...make, '-days', '2', '-subj', '/CN=localhost', ...extensions, ...signed]);
  return authority;
}

/** The service behind TLS, as software of other authors meets it. */
export class Provider {
  private constructor(
    readonly app: TestApp,
    readonly issuer: string,
    /** File of the certificate that signs the service's: Erlang takes none that signs itself. */
    readonly certificate: string,
    readonly folder: string,
    private readonly proxy: Server,
    private readonly packages: string,
    /** Who signs in. */
    public ada: Person,
    /** What she does with each request. */
    public decision: 'approve' | 'deny' = 'approve',
  ) {}

  /** @param settings of the service, further ones */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Provider> {
    const packages = await installPackages();
    const [tls, port] = [await freePort(), await freePort()];
    const issuer = `https://localhost:${tls}`;
    const folder = temporaryFolder('interop');
    await mkdir(folder, { recursive: true });
    const [key, chain] = [join(folder, 'key.pem'), join(folder, 'chain.pem')];
    const certificate = await certify(folder, key, chain);
    const app = await TestApp.start({ PORT: String(port), PUBLIC_URL: issuer, ...settings });
    let provider: Provider | undefined;
    const pair = { key: readFileSync(key), cert: readFileSync(chain) };
    const proxy = createServer(pair, ({ method, url, headers }, answer) => {
      if (provider && url?.startsWith('/authorize?')) return provider.decide(url, answer);
      const upstream = request(app.url + url, { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      upstream.on('error', () => answer.destroy());
      answer.req.pipe(upstream);
    });
    await new Promise<void>((resolve) => proxy.listen(tls, resolve));
    await symlink(packages, join(folder, 'node_modules'));
    provider = new Provider(app, issuer, certificate, folder, proxy, packages, await Person.signUp(app));
    return provider;
  }

  async stop(): Promise<void> {
    this.proxy.closeAllConnections();
    await new Promise((resolve) => this.proxy.close(resolve));
    await this.app.stop();
  }

  /** Signs another person up, after an app has ended the session. */
  async signInAgain(): Promise<void> {
    this.ada = await Person.signUp(this.app);
  }

  /** Registers a client with addresses below a site. */
  async register(
    site: string,
    { redirectUris = ['/callback'], postLogoutRedirectUris = ['/'], ...data }: Registration,
  ): Promise<{ clientId: string; clientSecret: string }> {
    const clientId = `sw-${randomBytes(6).toString('hex')}`;
    const below = (paths: readonly string[]) => paths.map((path) => site + path);
    const { clientSecret = '' } = await this.app.app.get(ClientService, { strict: false }).register(null, {
      clientId,
      name: 'Orders',
      firstParty: true,
      redirectUris: below(redirectUris),
      postLogoutRedirectUris: below(postLogoutRedirectUris),
      ...data,
    });
    return { clientId, clientSecret };
  }

  /** Environment of a process that trusts the certificate. */
  environment(more: Readonly<Record<string, string>>): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    // The Node of this project, and Debian's interpreters, which have its libraries.
    const path = `${dirname(process.execPath)}:/usr/bin:${PATH}`;
    const trusted = { NODE_EXTRA_CA_CERTS: this.certificate, REQUESTS_CA_BUNDLE: this.certificate };
    // The libraries of Debian, which know no modules.
    const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' };
    return {
      PATH: path,
      HOME,
      SSL_CERT_FILE: this.certificate,
      ...trusted,
      ...go,
      ISSUER: this.issuer,
      ...more,
    };
  }

  /** Runs a script of the software to its end. @returns its output */
  async run(file: string, more: Readonly<Record<string, string>>): Promise<string> {
    const copy = join(this.folder, file);
    await cp(join(SOFTWARE, file), copy);
    const [command, ...args] = commandOf(copy);
    const { stdout } = await run(command, args, {
      cwd: this.folder,
      env: this.environment(more),
      timeout: 60_000,
    });
    return stdout;
  }

  /** Starts an app, whose file is one of the software, as a client of the service. */
  async startApp(file: string, data: Registration): Promise<AppOfOthers> {
    const port = await freePort();
    const { clientId, clientSecret } = await this.register(`http://localhost:${port}`, data);
    return this.startScript(file, port, { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });
  }

  /** Starts an app, whose file is one of the software, with these variables. */
  async startScript(
    file: string,
    port: number,
    more: Readonly<Record<string, string>>,
  ): Promise<AppOfOthers> {
    const site = `http://localhost:${port}`;
    const copy = join(this.folder, file);
    await cp(join(SOFTWARE, file), copy);
    const [command, ...args] = commandOf(copy);
    const program = await Program.start(command, {
      port,
      args,
      env: this.environment({ SITE: site, PORT: String(port), ...more }),
    });
    return new AppOfOthers(this, program, site);
  }

  /** Bundles a script for the browser. @returns its text */
  async bundle(file: string, defined: Readonly<Record<string, string>>): Promise<string> {
    const copy = join(this.folder, file);
    await cp(join(SOFTWARE, file), copy);
    const define = Object.entries(defined).map(
      ([name, value]) => `--define:${name}=${JSON.stringify(value)}`,
    );
    const options = [
      '--bundle',
      '--format=esm',
      '--log-level=error',
      '--define:global=globalThis',
      ...define,
    ];
    const esbuild = join(this.packages, '.bin/esbuild');
    const { stdout } = await run(esbuild, [copy, ...options], {
      cwd: this.folder,
      maxBuffer: 64 * 1_024 * 1_024,
    });
    return stdout;
  }

  /** Decides in place of the page on which a person agrees. */
  private decide(url: string, answer: ServerResponse): void {
    this.answer(this.issuer + url)
      .then((location) => answer.writeHead(303, { location }).end())
      .catch((error: unknown) => answer.writeHead(500).end(String(error)));
  }

  /** Approves or denies the request of a page of ours. @returns where the browser goes next */
  async answer(page: string): Promise<string> {
    const id = new URL(page).searchParams.get('request');
    const path = `/api/v1/iam/auth/authorizations/${id}/${this.decision}`;
    const { status, body } = await this.app.call('POST', path, {}, { token: this.ada.token });
    if (status !== 200) throw new Error(`It answered ${status} to ${this.decision}: ${page}`);
    return String(body['redirectTo']);
  }
}

const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  '.go': ['sh', '-c', 'go build -o "$0.bin" "$0" && exec "$0.bin"'],
  '.pl': ['perl'],
  '.py': ['python3'],
  '.rb': ['ruby'],
};

/** Returns the words of the command that runs a file. */
function commandOf(file: string): [command: string, ...args: string[]] {
  const [command = 'node', ...args] = INTERPRETERS[extname(file)] ?? [];
  return [command, ...args, file];
}

/** An app that runs, and the browser of a person in front of it. */
export class AppOfOthers {
  private jar = new CookieJar();

  constructor(
    private readonly provider: Provider,
    private readonly program: Program,
    readonly site: string,
  ) {}

  stop(): Promise<void> {
    return this.program.stop();
  }

  /** Opens an address, through sign-in and redirects. @returns the page at the end */
  async open(path: string): Promise<{ url: string; text: string; status: number; headers: Headers }> {
    const { issuer, app } = this.provider;
    let [url, form] = [new URL(path, this.site).href, undefined as URLSearchParams | undefined];
    for (let hops = 0; hops < 15; hops += 1) {
      if (url.startsWith(`${issuer}/authorize?`)) url = await this.provider.answer(url);
      const isOurs = url.startsWith(issuer);
      const response = await fetch(isOurs ? url.replace(issuer, app.url) : url, {
        redirect: 'manual',
        headers: { accept: 'text/html', ...(!isOurs && { cookie: this.jar.header }) },
        ...(form && { method: 'POST', body: form }),
      });
      form = undefined;
      if (!isOurs) this.jar.keep(response);
      const [text, location] = [await response.text(), response.headers.get('location')];
      const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1];
      if (location !== null) url = new URL(location, url).href;
      else if (isOurs && action !== undefined) [url, form] = [action, new URLSearchParams(fieldsOf(text))];
      else return { url, text, status: response.status, headers: response.headers };
    }
    throw new Error(`The redirects do not end: ${url}`);
  }

  /** Opens an address of the app. @returns what it answers in JSON */
  async read(path: string): Promise<Record<string, unknown>> {
    const { text, status, url } = await this.open(path);
    if (!text.startsWith('{')) throw new Error(`${status} at ${url}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}
