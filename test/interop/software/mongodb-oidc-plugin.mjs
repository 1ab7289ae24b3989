// Gets a token as the shell of MongoDB does, and prints what is in it.
import { createMongoDBOIDCPlugin } from '@mongodb-js/oidc-plugin';
import { decodeJwt } from 'jose';

const { ISSUER, CLIENT_ID, PORT } = process.env;
const plugin = createMongoDBOIDCPlugin({
  redirectURI: `http://localhost:${PORT}/redirect`,
  // The program opens a browser here.
  openBrowser: async ({ url }) => void fetch(url),
});
plugin.logger.on('mongodb-oidc-plugin:auth-failed', ({ error }) => console.error(error));
const { OIDC_HUMAN_CALLBACK: callback } = plugin.mongoClientOptions.authMechanismProperties;
const idpInfo = { issuer: ISSUER, clientId: CLIENT_ID, requestScopes: ['profile', 'email'] };
const first = await callback({ version: 1, idpInfo });
const second = await callback({ version: 1, idpInfo, refreshToken: first.refreshToken });
await plugin.destroy();
const { iss, sub, aud } = decodeJwt(first.accessToken);
console.log(JSON.stringify({ iss, sub, aud, refreshed: second.accessToken !== undefined }));
