import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { LabKey } from './saml-stand-in.ts';
import { temporaryFolder } from '../support/temporary-folder.js';

const METADATA = '/saml2/idp/metadata.php';
const SITE = '/usr/share/simplesamlphp/www';
const NO_SERVICE_PROVIDER = '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>';

/** Debian's SimpleSAMLphp as an identity provider, set up by the files of lab/simplesamlphp. */
export class SimpleSamlPhp {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  /** @param encrypts whether its assertions are encrypted */
  static async start(encrypts = false): Promise<SimpleSamlPhp> {
    const folder = temporaryFolder('saml');
    await chmod(folder, 0o755);
    const { privateKey, certificate } = new LabKey('SimpleSAMLphp');
    await writeFile(join(folder, 'idp.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(join(folder, 'idp.crt'), certificate);
    await writeFile(join(folder, 'gatehouse.xml'), NO_SERVICE_PROVIDER);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', SITE], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        SIMPLESAMLPHP_CONFIG_DIR: resolve('lab/simplesamlphp'),
        LAB_URL: url,
        LAB_FOLDER: folder,
        LAB_SALT: randomBytes(16).toString('hex'),
        LAB_ENCRYPTION: encrypts ? 'on' : 'off',
      },
    });
    return new SimpleSamlPhp(url, folder, server);
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.server.once('exit', done));
    if (this.server.exitCode === null && this.server.kill()) await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Its metadata; null while it does not answer. */
  async findMetadata(): Promise<string | null> {
    const response = await fetch(`${this.url}${METADATA}`).catch(() => null);
    return response?.ok === true ? response.text() : null;
  }

  /** Takes the metadata of a service provider, unchanged. */
  async register(metadata: string): Promise<void> {
    await writeFile(join(this.folder, 'gatehouse.xml'), metadata);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
