import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { KINDS, SIGN_IN_ERRORS } from '../../../src/external-identity/providers/provider.js';
import { PageServer } from '../../lab/site/server.js';
import { LabKey } from '../../lab/saml-stand-in.js';

const pages = globSync('docs/sso/*.md').map((page) => readFileSync(page, 'utf8'));
const index = readFileSync('docs/sso/README.md', 'utf8');

/** What docs/sso tells administrators. */
describe('The documentation of external sign-in', () => {
  it('explains each error that may come back, and no other', () => {
    const [, table = ''] = /^\| `error`.*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(index) ?? [];
    const explained = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, word]) => word);
    expect(explained.toSorted()).toEqual(Object.keys(SIGN_IN_ERRORS).toSorted());
  });

  it('names each kind', () => {
    for (const kind of KINDS) expect(index).toContain(`| \`${kind}\``);
  });

  it('names no setting that is not there', () => {
    const settings = readFileSync('src/platform/config/settings.ts', 'utf8');
    const named = new Set(pages.flatMap((page) => page.match(/\b(?:EXTERNAL_[A-Z_]+|RETURN_URIS)\b/g) ?? []));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !settings.includes(`${name}:`))).toEqual([]);
  });

  it('links to pages that are there', () => {
    const links = pages.flatMap((page) => [...page.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link));
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) expect(globSync(`docs/sso/${link}`)).toHaveLength(1);
  });
});

describe('The settings of a SAML identity provider', () => {
  const [current, next] = [new LabKey('Now'), new LabKey('Soon')];
  const body = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '');
  const key = (use: string, pem: string) =>
    `<md:KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${body(pem)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  const metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/saml"><md:IDPSSODescriptor>
    ${key(' use="signing"', current.certificate)}${key('', next.certificate)}${key(' use="encryption"', current.certificate)}
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.com/post"/>
    <md:SingleSignOnService Location="https://idp.example.com/sso?a=1&amp;b=2" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"/>
    </md:IDPSSODescriptor></md:EntityDescriptor>`;
  let site: PageServer;
  beforeAll(async () => {
    site = await new PageServer().listen();
    site.add({ 'GET /metadata': () => ({ body: metadata }), 'GET /empty': () => ({ body: '<x/>' }) });
  });
  afterAll(() => site.stop());

  const print = (path: string) =>
    promisify(execFile)(process.execPath, ['scripts/saml-settings.mjs', `${site.url}${path}`]);

  it('are printed from its metadata, with the certificate that is to come', async () => {
    const { stdout } = await print('/metadata');
    expect(stdout.trim().split('\n')).toEqual([
      'EXTERNAL_SAML_ENTRY_POINT=https://idp.example.com/sso?a=1&b=2',
      'EXTERNAL_SAML_IDP_ISSUER=https://idp.example.com/saml',
      `EXTERNAL_SAML_IDP_CERT=${body(current.certificate)},${body(next.certificate)}`,
    ]);
  });

  it('are not printed in part', async () => {
    await expect(print('/empty')).rejects.toThrow(
      'nothing for EXTERNAL_SAML_ENTRY_POINT and EXTERNAL_SAML_IDP_ISSUER and EXTERNAL_SAML_IDP_CERT',
    );
  });
});
