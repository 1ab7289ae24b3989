// Verifies one access token by each library, as its README shows it, and prints what each says.
import { JwtVerifier } from 'aws-jwt-verify';
import express from 'express';
import { expressjwt } from 'express-jwt';
import { auth } from 'express-oauth2-jwt-bearer';
import OktaJwtVerifier from '@okta/jwt-verifier';
import { createVerifier } from 'fast-jwt';
import fastify from 'fastify';
import fastifyJwt from '@fastify/jwt';
import getJwks from 'get-jwks';
import { Hono } from 'hono';
import { jwk } from 'hono/jwk';
import * as jose from 'jose';
import jwt from 'jsonwebtoken';
import jwksRsa from 'jwks-rsa';
import { ExtractJwt, Strategy } from 'passport-jwt';

const { ISSUER, TOKEN, ALGORITHM, AUDIENCE } = process.env;
const jwksUri = `${ISSUER}/.well-known/jwks.json`;
const algorithms = [ALGORITHM];
const bearer = { authorization: `Bearer ${TOKEN}` };

/** Sends the token to a middleware of Express. */
const pass = async (middleware) => {
  const app = express();
  app.get('/', middleware, ({ auth: verified }, response) => response.json(verified.payload ?? verified));
  const server = app.listen(0);
  const answer = await fetch(`http://localhost:${server.address().port}/`, { headers: bearer });
  return (await answer.json()).sub;
};

const VERIFIERS = {
  'jsonwebtoken + jwks-rsa': async () => {
    const client = jwksRsa({ jwksUri });
    const { kid } = jwt.decode(TOKEN, { complete: true }).header;
    const key = (await client.getSigningKey(kid)).getPublicKey();
    return jwt.verify(TOKEN, key, { algorithms, issuer: ISSUER, audience: AUDIENCE }).sub;
  },
  'fast-jwt + get-jwks': async () => {
    const keys = getJwks();
    const verify = createVerifier({
      key: ({ header: { kid, alg } }) => keys.getPublicKey({ kid, domain: ISSUER, alg }),
      algorithms,
      allowedIss: ISSUER,
    });
    return (await verify(TOKEN)).sub;
  },
  '@fastify/jwt + get-jwks': async () => {
    const keys = getJwks();
    const app = fastify();
    app.register(fastifyJwt, {
      decode: { complete: true },
      secret: (_, { header: { kid, alg } }) => keys.getPublicKey({ kid, domain: ISSUER, alg }),
      verify: { algorithms },
    });
    app.get('/', async (request) => ({ sub: (await request.jwtVerify()).sub }));
    return (await app.inject({ url: '/', headers: bearer })).json().sub;
  },
  'aws-jwt-verify': async () => {
    const verifier = JwtVerifier.create({ issuer: ISSUER, audience: AUDIENCE, jwksUri });
    return (await verifier.verify(TOKEN)).sub;
  },
  jose: async () => {
    const keys = jose.createRemoteJWKSet(new URL(jwksUri));
    const options = { issuer: ISSUER, audience: AUDIENCE, typ: 'at+jwt' };
    return (await jose.jwtVerify(TOKEN, keys, options)).payload.sub;
  },
  'hono/jwk': async () => {
    const app = new Hono();
    app.use(jwk({ jwks_uri: jwksUri, alg: algorithms, verification: { typ: 'at+jwt', iat: false } }));
    app.get('/', (context) => context.json(context.get('jwtPayload')));
    return (await (await app.request('/', { headers: bearer })).json()).sub;
  },
  // It knows RS256 only.
  ...(ALGORITHM === 'RS256' && {
    '@okta/jwt-verifier': async () => {
      const verifier = new OktaJwtVerifier({ issuer: ISSUER, jwksUri });
      return (await verifier.verifyAccessToken(TOKEN, AUDIENCE)).claims.sub;
    },
  }),
  'express-jwt + jwks-rsa': () =>
    pass(
      expressjwt({
        secret: jwksRsa.expressJwtSecret({ jwksUri }),
        algorithms,
        issuer: ISSUER,
        audience: AUDIENCE,
      }),
    ),
  'express-oauth2-jwt-bearer': () =>
    pass(auth({ issuerBaseURL: ISSUER, audience: AUDIENCE, tokenSigningAlg: ALGORITHM, strict: true })),
  'passport-jwt + jwks-rsa': () =>
    new Promise((resolve, reject) => {
      const strategy = new Strategy(
        {
          jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
          secretOrKeyProvider: jwksRsa.passportJwtSecret({ jwksUri }),
          algorithms,
          issuer: ISSUER,
          audience: AUDIENCE,
        },
        (payload, done) => done(null, payload.sub),
      );
      Object.assign(strategy, { success: resolve, fail: reject, error: reject });
      strategy.authenticate({ headers: bearer });
    }),
};

const results = {};
for (const [name, verify] of Object.entries(VERIFIERS))
  results[name] = await Promise.resolve()
    .then(verify)
    .catch((error) => `refused: ${error?.message ?? error}`);
console.log(JSON.stringify(results));
process.exit(0);
