import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PERSON, Provider } from '../provider.mjs';

/** Initial database of Debian's package, with one administrator. */
const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
const ADMINISTRATOR = { username: 'admin', password: 'password' };
const MIME_TYPES = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'application/javascript',
  '.json': 'application/json',
};

/**
 * Runs Glewlwyd as an OpenID Connect provider, set up by its administration API with the files of
 * this folder.
 */
export class Glewlwyd extends Provider {
  ways = [{ kind: 'oidc', title: 'Glewlwyd' }];
  #secret = randomBytes(24).toString('base64url');
  #cookie = '';

  async start() {
    await this.prepare();
    await this.#copyPages();
    const database = new DatabaseSync(join(this.folder, 'database'));
    database.exec(await readFile(SCHEMA, 'utf8'));
    database.close();
    await this.run(['glewlwyd', '--env-variables'], this.#environment(), '/config');
    await this.#call('POST', 'auth', ADMINISTRATOR);
    await this.#addPlugin();
    await this.#addPerson();
    this.settings = {
      EXTERNAL_OIDC_ISSUER: `${this.url}/api/oidc`,
      EXTERNAL_OIDC_CLIENT_ID: 'gatehouse',
      EXTERNAL_OIDC_CLIENT_SECRET: this.#secret,
      EXTERNAL_OIDC_DOMAINS: 'example.com',
    };
  }

  register(gatehouse) {
    return this.registerAt({ redirectUri: `${gatehouse}/api/iam/auth/external/oidc/callback` });
  }

  async registerAt({ redirectUri }) {
    await this.#call('POST', 'client', {
      ...(await jsonFile('client.json')),
      password: this.#secret,
      redirect_uri: [redirectUri],
    });
  }

  /** Rotates the signing key. */
  async #addPlugin() {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const key = {
      ...privateKey.export({ format: 'jwk' }),
      kid: randomBytes(8).toString('hex'),
      alg: 'RS256',
      use: 'sig',
    };
    await this.#call('POST', 'mod/plugin', {
      module: 'oidc',
      name: 'oidc',
      display_name: 'OpenID Connect',
      parameters: {
        ...(await jsonFile('plugin.json')),
        iss: `${this.url}/api/oidc`,
        'jwks-private': JSON.stringify({ keys: [key] }),
      },
    });
  }

  async #addPerson() {
    for (const name of ['email', 'profile'])
      await this.#call('POST', 'scope', {
        name,
        display_name: name,
        description: name,
        password_required: true,
        password_max_age: 0,
        scheme: {},
      });
    const people = await this.#call('GET', 'mod/user/database');
    const property = {
      multiple: false,
      read: true,
      write: true,
      'profile-read': true,
      'profile-write': false,
    };
    Object.assign(people.parameters['data-format'], { email_verified: property, given_name: property });
    await this.#call('PUT', 'mod/user/database', people);
    await this.#call('PUT', 'mod/user/database/reset');
    await this.#call('POST', 'user', {
      username: PERSON.username,
      password: PERSON.password,
      email: PERSON.email,
      email_verified: '1',
      given_name: PERSON.firstName,
      scope: ['openid', 'email', 'profile'],
      enabled: true,
    });
  }

  /**
   * Glewlwyd's server does not follow links out of the folder, and Debian's package has a folder
   * where its pages look for their configuration.
   */
  async #copyPages() {
    await cp('/usr/share/glewlwyd/webapp', this.#pages, { recursive: true, dereference: true });
    const configuration = join(this.#pages, 'config.json');
    await rm(configuration, { recursive: true });
    await cp('/usr/share/glewlwyd/templates/config.json', configuration);
  }

  get #pages() {
    return join(this.folder, 'webapp');
  }

  #environment() {
    const modules = '/usr/lib/glewlwyd';
    return {
      GLWD_PORT: this.port,
      GLWD_BIND_ADDRESS: '127.0.0.1',
      GLWD_EXTERNAL_URL: this.url,
      GLWD_LOGIN_URL: 'login.html',
      GLWD_API_PREFIX: 'api',
      GLWD_STATIC_FILES_PATH: this.#pages,
      GLWD_STATIC_FILES_MIME_TYPES: JSON.stringify(
        Object.entries(MIME_TYPES).map(([extension, mime_type]) => ({ extension, mime_type })),
      ),
      GLWD_USER_MODULE_PATH: `${modules}/user`,
      GLWD_CLIENT_MODULE_PATH: `${modules}/client`,
      GLWD_AUTH_SCHEME_MODULE_PATH: `${modules}/scheme`,
      GLWD_PLUGIN_MODULE_PATH: `${modules}/plugin`,
      GLWD_DATABASE_TYPE: 'sqlite3',
      GLWD_DATABASE_SQLITE3_PATH: join(this.folder, 'database'),
      GLWD_COOKIE_SECURE: '0',
      GLWD_LOG_MODE: 'file',
      GLWD_LOG_FILE: join(this.folder, 'log'),
    };
  }

  async #call(method, path, body) {
    const response = await fetch(`${this.url}/api/${path}/`, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.#cookie },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Glewlwyd answers ${response.status} to ${method} ${path}: ${text}`);
    const [cookie] = response.headers.getSetCookie();
    if (cookie) [this.#cookie] = cookie.split(';');
    return text === '' ? null : JSON.parse(text);
  }
}

async function jsonFile(name) {
  return JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));
}
