import { pathToFileURL } from 'node:url';

/**
 * Returns the settings of a SAML identity provider, read from its metadata as an administrator
 * does.
 */
export async function samlSettings(metadataUrl) {
  const response = await fetch(metadataUrl);
  if (!response.ok) throw new Error(`${metadataUrl} answers ${response.status}.`);
  const metadata = await response.text();
  const [idp = ''] = /<(?:\w+:)?IDPSSODescriptor[\s\S]*?IDPSSODescriptor>/.exec(metadata) ?? [];
  const keys = [...idp.matchAll(/<(?:\w+:)?KeyDescriptor([^>]*)>[\s\S]*?X509Certificate>([^<]*)</g)];
  const signing = keys.filter(([, attributes]) => !attributes.includes('encryption'));
  const [entry = ''] = /<(?:\w+:)?SingleSignOnService[^>]*HTTP-Redirect[^>]*>/.exec(idp) ?? [];
  const settings = {
    EXTERNAL_SAML_ENTRY_POINT: /Location="([^"]*)"/.exec(entry)?.[1].replaceAll('&amp;', '&'),
    EXTERNAL_SAML_IDP_ISSUER: /\sentityID="([^"]*)"/.exec(metadata)?.[1],
    EXTERNAL_SAML_IDP_CERT: signing.map(([, , body]) => body.replace(/\s/g, '')).join(','),
  };
  const missing = Object.keys(settings).filter((name) => !settings[name]);
  if (missing.length > 0) throw new Error(`The metadata has nothing for ${missing.join(' and ')}.`);
  return settings;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const settings = await samlSettings(process.argv[2]);
  for (const [name, value] of Object.entries(settings)) process.stdout.write(`${name}=${value}\n`);
}
