import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LabKey } from '../../test/lab/saml-stand-in.ts';
import { Provider, samlSettings, textOf } from '../provider.mjs';

/** Until the service is there. */
const NOBODY = '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>';

/** SimpleSAMLphp as a SAML identity provider, with the files of this folder for its configuration, in PHP's own web server. */
export class SimpleSamlPhp extends Provider {
  ways = [{ kind: 'saml', title: 'SimpleSAMLphp' }];

  async start() {
    await this.prepare();
    const { privateKey, certificate } = new LabKey('SimpleSAMLphp');
    await this.#write('idp.key', privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await this.#write('idp.crt', certificate);
    await this.#write('gatehouse.xml', NOBODY);
    const metadata = '/saml2/idp/metadata.php';
    const server = ['php', '-S', new URL(this.url).host, '-t', '/usr/share/simplesamlphp/www'];
    await this.run(server, this.#environment(), metadata);
    this.settings = await samlSettings(`${this.url}${metadata}`);
  }

  /** Takes the metadata of the service as it is. */
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
