import { InvalidTokenError, Verifier } from '@gatehouse/client/verifier';

const { ISSUER, AUDIENCE, TENANT, GATEHOUSE = ISSUER, TOKEN } = process.env;
const verifier = new Verifier({
  issuer: ISSUER,
  audience: AUDIENCE,
  tenantId: TENANT, // tokens of another organization are refused
  url: GATEHOUSE,
  clients: 'any',
});

try {
  const { userId, scopes } = await verifier.verify(TOKEN);
  console.log(userId, [...scopes].join(' '));
} catch (error) {
  console.log(error instanceof InvalidTokenError ? 'refused' : error); // otherwise answer 503
}
