#!/usr/bin/env bash
# google-oauth-client 1.34.1 (Java; Debian 12): one key of another algorithm makes it refuse all tokens.
#
# Behaviour: IdTokenVerifier reads the key set at setCertificatesLocation, and knows RS256 and ES256. A
# key with another alg, or without one, ends the reading by an exception that is none of those it
# skips a key for, so that tokens by the other keys are refused: "Error fetching public key from
# certificate location". Keys that are not understood should be passed over (RFC 7517, section 5).
# Consequence: an issuer that publishes an Ed25519 key, for webhooks or for a change of algorithms,
# locks out services with this library, whose own tokens are signed as before.
# Output: ES256 and RS256 true, true; with a key of EdDSA false, false; ES256 without alg false
# Needs java, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root libgoogle-oauth-client-java=1.34.1-2 libgoogle-http-client-java=1.42.0-2 \
  libgoogle-gson-java=2.10-1 libguava-java=31.1-1 libopencensus-java=0.24.0+ds-1 libgrpc-java=1.41.3+ds-1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts jose@6.2.18 >/dev/null 2>&1
cat >Verify.java <<'JAVA'
import com.google.api.client.auth.openidconnect.IdToken;
import com.google.api.client.auth.openidconnect.IdTokenVerifier;
import com.google.api.client.json.gson.GsonFactory;
import java.util.Collections;

public class Verify {
  public static void main(String[] words) throws Exception {
    StringBuilder line = new StringBuilder();
    for (int index = 0; index < words.length; index += 2) {
      IdTokenVerifier verifier = new IdTokenVerifier.Builder()
          .setIssuer("https://login.example.com")
          .setAudience(Collections.singleton("app"))
          .setCertificatesLocation(words[index])
          .build();
      line.append(verifier.verify(IdToken.parse(GsonFactory.getDefaultInstance(), words[index + 1]))).append(' ');
    }
    System.out.println(line.toString().trim());
  }
}
JAVA
cat >run.mjs <<'JS'
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const keyOf = async (alg) => {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' } };
};
const [es, rs, ed] = [await keyOf('ES256'), await keyOf('RS256'), await keyOf('EdDSA')];
const { alg: _, ...withoutAlg } = es.jwk;
const SETS = { two: [es.jwk, rs.jwk], three: [es.jwk, rs.jwk, ed.jwk], bare: [withoutAlg] };
const server = createServer(({ url }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ keys: SETS[url.slice(1)] }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const tokenOf = ({ alg, privateKey }) =>
  new SignJWT({})
    .setProtectedHeader({ alg, kid: alg })
    .setIssuer('https://login.example.com')
    .setAudience('app')
    .setSubject('ada')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
const words = [];
for (const [set, key] of [['two', es], ['two', rs], ['three', es], ['three', rs], ['bare', es]])
  words.push(`http://127.0.0.1:${server.address().port}/${set}`, await tokenOf(key));
const jars = ['google-oauth-client', 'google-http-client', 'google-http-client-gson', 'gson', 'guava'];
jars.push('opencensus-api', 'opencensus-contrib-http-util', 'grpc-context');
const path = jars.map((jar) => `usr/share/java/${jar}.jar`).join(':');
const { stdout } = await promisify(execFile)('java', ['-cp', path, 'Verify.java', ...words]);
const [es1, rs1, es2, rs2, bare] = stdout.trim().split(' ');
const line = `ES256 and RS256 ${es1}, ${rs1}; with a key of EdDSA ${es2}, ${rs2}; ES256 without alg ${bare}`;
console.log(line);
server.close();
process.exit(stdout.trim() === 'true true false false false' ? 0 : 1);
JS
timeout 90 node run.mjs
