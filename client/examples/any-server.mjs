import { createServer } from 'node:http';
import { InvalidTokenError, UnavailableError, Verifier } from '@gatehouse/client/verifier';

const { ISSUER = '', AUDIENCE = '', PORT = '4000' } = process.env;
const verifier = new Verifier({ issuer: ISSUER, audience: AUDIENCE });

createServer(async (request, response) => {
  try {
    const token = await verifier.verify(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    if (request.method !== 'GET') await verifier.confirm(token); // a logout counts at once
    response.end(`Hello ${token.userId}, in ${token.tenantId ?? 'no tenant'}`);
  } catch (error) {
    const status = error instanceof InvalidTokenError ? 401 : error instanceof UnavailableError ? 503 : 500;
    response.writeHead(status, { 'www-authenticate': 'Bearer' }).end();
  }
}).listen(Number(PORT), '127.0.0.1');
