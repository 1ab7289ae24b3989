import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../scripts/own-service.mjs';
import { OwnProcess } from '../scripts/own-process.mjs';

/** Who has an account at each of them. */
export const PERSON = {
  username: 'ada',
  password: 'quiet-harbour-42',
  email: 'ada@example.com',
  firstName: 'Ada',
};

/** An identity provider of Debian's, with a server, an address and a folder of its own on this machine, started from nothing and removed again. */
export class Provider {
  #process;

  /** What the settings of the service need to know. */
  settings = {};

  /** Where it is, and what it keeps there. */
  async prepare() {
    this.url = `http://127.0.0.1:${await freePort()}`;
    this.folder = await mkdtemp(join(tmpdir(), 'gatehouse-lab-'));
    await chmod(this.folder, 0o755);
  }

  /** Runs its server until it answers at a path. */
  async run(command, env, path) {
    this.#process = await OwnProcess.start(
      command,
      { PATH: process.env.PATH, ...env },
      `${this.url}${path}`,
      'nothing',
    );
  }

  async stop() {
    await this.#process?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  get port() {
    return new URL(this.url).port;
  }
}

/** What the service needs to know of a SAML identity provider, from its metadata. */
export async function samlSettings(metadataUrl) {
  const metadata = await textOf(metadataUrl);
  const found = (pattern) => pattern.exec(metadata)?.[1];
  return {
    EXTERNAL_SAML_IDP_ISSUER: found(/ entityID="([^"]*)"/),
    EXTERNAL_SAML_IDP_CERT: found(/<(?:\w+:)?X509Certificate>([^<]*)</).replace(/\s/g, ''),
    EXTERNAL_SAML_ENTRY_POINT: found(
      /<(?:\w+:)?SingleSignOnService\s[^>]*HTTP-Redirect"\s+Location="([^"]*)"/,
    ),
    EXTERNAL_SAML_DOMAINS: 'example.com',
  };
}

export async function textOf(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
  return response.text();
}
