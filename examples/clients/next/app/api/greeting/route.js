import { InvalidTokenError, UnavailableError, Verifier } from '@gatehouse/client/verifier';

let verifier; // not at the build, which has no settings

/** Verifies the access token that the page sends. */
export async function GET(request) {
  verifier ??= new Verifier({ issuer: process.env.GATEHOUSE_URL, audience: process.env.GATEHOUSE_AUDIENCE });
  try {
    const [, token = ''] = /^Bearer (.*)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    const { userId, tenantId } = await verifier.verify(token);
    return Response.json({ greeting: `Hello ${userId}, in ${tenantId ?? 'no organization'}` });
  } catch (error) {
    const status = error instanceof InvalidTokenError ? 401 : error instanceof UnavailableError ? 503 : 500;
    return new Response(null, { status, headers: { 'www-authenticate': 'Bearer' } });
  }
}
