import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LabKey } from '../../test/lab/saml-stand-in.ts';
import { samlSettings } from '../../scripts/saml-settings.mjs';
import { Provider, textOf } from '../provider.mjs';

/** Metadata without service providers, used until the service runs. */
const NO_SERVICE_PROVIDER = '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>';

/**
 * Runs SimpleSAMLphp as a SAML identity provider in PHP's own web server, configured by the files
 * of this folder.
 */
export class SimpleSamlPhp extends Provider {
  ways = [{ kind: 'saml', title: 'SimpleSAMLphp' }];

  async start() {
    await this.prepare();
    const { privateKey, certificate } = new LabKey('SimpleSAMLphp');
    await this.#write('idp.key', privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await this.#write('idp.crt', certificate);
    await this.#write('gatehouse.xml', NO_SERVICE_PROVIDER);
    const metadata = '/saml2/idp/metadata.php';
    const server = ['php', '-S', new URL(this.url).host, '-t', '/usr/share/simplesamlphp/www'];
    await this.run(server, this.#environment(), metadata);
    this.settings = {
      ...(await samlSettings(`${this.url}${metadata}`)),
      EXTERNAL_SAML_DOMAINS: 'example.com',
    };
  }

  /** Stores the metadata of the service unchanged. */
  async register(gatehouse) {
    await this.#write('gatehouse.xml', await textOf(`${gatehouse}/api/iam/auth/external/saml/metadata`));
  }

  #environment() {
    return {
      SIMPLESAMLPHP_CONFIG_DIR: fileURLToPath(new URL('.', import.meta.url)),
      LAB_URL: this.url,
      LAB_FOLDER: this.folder,
      LAB_SALT: randomBytes(16).toString('hex'),
    };
  }

  #write(name, text) {
    return writeFile(join(this.folder, name), text);
  }
}
