import { createPublicKey, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LabKey } from '../../test/lab/saml-stand-in.ts';
import { samlSettings } from '../../scripts/saml-settings.mjs';
import { Provider, textOf } from '../provider.mjs';

/**
 * Runs LemonLDAP::NG as an OpenID Connect provider and a SAML identity provider, configured by the
 * files of this folder.
 */
export class LemonLdapNg extends Provider {
  ways = [
    { kind: 'oidc', title: 'LemonLDAP::NG by OpenID Connect' },
    { kind: 'saml', title: 'LemonLDAP::NG by SAML' },
  ];
  /** One of its demonstration users. */
  person = { username: 'dwho', password: 'dwho' };
  #key = new LabKey('LemonLDAP::NG');
  #secret = randomBytes(24).toString('base64url');

  async start() {
    await this.prepare();
    for (const name of ['conf', 'cache', 'sessions']) await mkdir(join(this.folder, name));
    await writeFile(join(this.folder, 'lemonldap-ng.ini'), await this.#file('lemonldap-ng.ini'));
    await this.#configure();
    this.settings = {
      EXTERNAL_OIDC_ISSUER: this.url,
      EXTERNAL_OIDC_CLIENT_ID: 'gatehouse',
      EXTERNAL_OIDC_CLIENT_SECRET: this.#secret,
      EXTERNAL_OIDC_DOMAINS: 'badwolf.org',
      ...(await samlSettings(`${this.url}/saml/metadata`)),
      EXTERNAL_SAML_DOMAINS: 'badwolf.org',
    };
  }

  async register(gatehouse) {
    const callbacks = `${gatehouse}/api/iam/auth/external`;
    await this.registerAt({
      redirectUri: `${callbacks}/oidc/callback`,
      metadata: await textOf(`${callbacks}/saml/metadata`),
    });
  }

  /** Writes the configuration, which the server reads at its start. */
  async registerAt(gatehouse) {
    await this.end();
    await this.#configure(gatehouse);
  }

  async #configure(gatehouse) {
    const configuration = {
      ...(await this.#json('lmConf-1.json')),
      ...(await this.#oidc(gatehouse)),
      ...(await this.#saml(gatehouse)),
    };
    await writeFile(join(this.folder, 'conf', 'lmConf-1.json'), JSON.stringify(configuration));
    await rm(join(this.folder, 'cache'), { recursive: true, force: true });
    const portal = fileURLToPath(new URL('portal.psgi', import.meta.url));
    const server = ['starman', '--listen', new URL(this.url).host, '--workers', '3', portal];
    await this.run(server, { LLNG_DEFAULTCONFFILE: join(this.folder, 'lemonldap-ng.ini') }, '/saml/metadata');
  }

  async #oidc(gatehouse) {
    const oidc = await this.#json('oidc.json');
    Object.assign(oidc.oidcRPMetaDataOptions.gatehouse, {
      oidcRPMetaDataOptionsClientSecret: this.#secret,
      oidcRPMetaDataOptionsRedirectUris: gatehouse?.redirectUri,
      oidcRPMetaDataOptionsPostLogoutRedirectUris: gatehouse?.afterLogout,
    });
    return {
      ...oidc,
      oidcServiceMetaDataIssuer: this.url,
      oidcServicePrivateKeySig: this.#privateKey,
      oidcServicePublicKeySig: createPublicKey(this.#key.privateKey).export({ type: 'spki', format: 'pem' }),
      oidcServiceKeyIdSig: 'lab',
    };
  }

  async #saml(gatehouse) {
    return {
      ...(await this.#json('saml.json')),
      samlServicePrivateKeySig: this.#privateKey,
      samlServicePublicKeySig: this.#key.certificate,
      samlSPMetaDataXML: gatehouse?.metadata && { gatehouse: { samlSPMetaDataXML: gatehouse.metadata } },
    };
  }

  get #privateKey() {
    return this.#key.privateKey.export({ type: 'pkcs8', format: 'pem' });
  }

  async #json(name) {
    return JSON.parse(await this.#file(name));
  }

  async #file(name) {
    const text = await readFile(new URL(name, import.meta.url), 'utf8');
    return text.replaceAll('@FOLDER@', this.folder).replaceAll('@URL@', this.url);
  }
}
