import { createPrivateKey } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import { Secret } from '../../dist/src/platform/config/secret.js';
import { KeyDerivation, Sealer } from '../../dist/src/platform/crypto/index.js';
import { AccessTokenService } from '../../dist/src/session/tokens/access-token.service.js';
import { TokenSigner } from '../../dist/src/session/tokens/token-signer.js';
import { RefreshTokenCodec } from '../../dist/src/session/tokens/refresh-token.js';
import { idOf, tenantOf } from './people.mjs';

/**
 * Lifetime of the tokens, longer than any case. The services have it in their settings, or they
 * would refuse such tokens.
 */
export const ACCESS_TOKEN_TTL = 86_400;

/**
 * Creates tokens of a running service by its own code with its own keys: a million logins would
 * take a week.
 */
export class Tokens {
  #access;
  #refresh;

  /** @param query runs a statement on the service's database */
  static async of({ base, rootSecret, query }) {
    const keys = new KeyDerivation(new Secret(Buffer.from(rootSecret, 'base64')));
    const [row] = await query('SELECT kid, sealed_private_key AS sealed FROM signing_keys');
    const privateKey = createPrivateKey(new Sealer(keys, 'signing-key-encryption').open(row.sealed));
    const settings = { PUBLIC_URL: base, TOKEN_AUDIENCE: base, ACCESS_TOKEN_TTL };
    const tokens = new Tokens();
    const jwt = new JwtService();
    const signingKeys = { current: { kid: row.kid, privateKey } };
    const signer = new TokenSigner(jwt, signingKeys, null, settings); // no keys of RSA
    tokens.#access = new AccessTokenService(jwt, signer, settings, keys);
    tokens.#refresh = new RefreshTokenCodec(keys);
    return tokens;
  }

  /**
   * Returns an access token of a person's first session, or of another one, optionally for their
   * organization, and of a sign-in by two factors.
   */
  access(person, { inTenant = false, isStrong = false, session = person } = {}) {
    return this.#access.sign({
      userId: idOf('A', person),
      sessionId: idOf('S', session),
      grantId: idOf('G', session),
      clientId: 'gatehouse',
      tenantId: inTenant ? tenantOf(person) : null,
      authTime: new Date(),
      aal2Time: isStrong ? new Date() : null,
      phrTime: null,
      trustedDevice: false,
      amr: ['pwd'],
      scopes: [],
    });
  }

  /** Returns the refresh token of a session's grant in a generation. */
  refresh(session, generation) {
    return this.#refresh.encode({ grantId: idOf('G', session), generation });
  }
}
