import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { LabKey } from './saml-stand-in.ts';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Form for the callback of the service, and what pysaml2 knows of the sign-in. */
interface SignedIn {
  /** Whether the request was signed by the service. */
  readonly isSigned: boolean;
  readonly sessionIndex: string;
  readonly fields: { readonly SAMLResponse: string; readonly RelayState: string };
}

/** Request of the service to end a session, as pysaml2 reads it. */
interface LogoutRead {
  readonly isSigned: boolean;
  readonly person: string;
  readonly indexes: readonly string[];
}

/** Debian's pysaml2 as an identity provider (lab/pysaml2). */
export class PySaml2 {
  private readonly folder: string;
  private readonly python: ChildProcessWithoutNullStreams;
  private readonly lines: Interface;
  private readonly ended: Promise<unknown>;

  private constructor(folder: string, python: ChildProcessWithoutNullStreams) {
    this.folder = folder;
    this.python = python;
    this.lines = createInterface(python.stdout);
    this.ended = once(python, 'exit');
  }

  static async start(): Promise<PySaml2> {
    const folder = temporaryFolder('pysaml2');
    const { privateKey, certificate } = new LabKey('pysaml2');
    await writeFile(join(folder, 'idp.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(join(folder, 'idp.crt'), certificate);
    const python = spawn('/usr/bin/python3', ['lab/pysaml2/provider.py', folder]);
    python.stderr.pipe(process.stderr);
    return new PySaml2(folder, python);
  }

  async stop(): Promise<void> {
    this.python.stdin.end();
    await this.ended;
    await rm(this.folder, { recursive: true });
  }

  async metadata(): Promise<string> {
    return (await this.command<{ metadata: string }>('describe')).metadata;
  }

  /** Stores the metadata of a service provider, unchanged. */
  async register(metadata: string): Promise<void> {
    await this.command('register', { metadata });
  }

  /** Signs a person in, whom the service has sent to the address. */
  answer(url: string, person: string, email: string): Promise<SignedIn> {
    return this.command('answer', { url, person, email });
  }

  /** Ends a session. @returns the address of the service for the browser */
  async logOut(destination: string, person: string, index: string): Promise<string> {
    return (await this.command<{ url: string }>('logOut', { destination, person, index })).url;
  }

  readLogout(url: string): Promise<LogoutRead> {
    return this.command('readLogout', { url });
  }

  private async command<T>(name: string, given: object = {}): Promise<T> {
    const answered = Promise.race([
      once(this.lines, 'line').then(([line]) => String(line)),
      this.ended.then(() => Promise.reject(new Error('pysaml2 has ended.'))),
    ]);
    this.python.stdin.write(`${JSON.stringify([name, given])}\n`);
    return JSON.parse(await answered) as T;
  }
}
