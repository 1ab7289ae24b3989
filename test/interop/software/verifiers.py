# Verifies one access token by each library, as its documents show it, and prints what each says.
import json
import os
import ssl
import urllib.request

import jwt
from authlib.jose import JsonWebKey, JsonWebToken
from django.conf import settings
from jose import jwt as python_jose

settings.configure(USE_I18N=False)
# It reads the settings as it is imported.
from rest_framework_simplejwt.backends import TokenBackend  # noqa: E402

ISSUER, TOKEN, ALGORITHM, AUDIENCE = (os.environ[n] for n in ('ISSUER', 'TOKEN', 'ALGORITHM', 'AUDIENCE'))
JWKS_URI = ISSUER + '/.well-known/jwks.json'
KEYS = json.load(urllib.request.urlopen(JWKS_URI, context=ssl.create_default_context()))


def by_pyjwt():
    key = jwt.PyJWKClient(JWKS_URI).get_signing_key_from_jwt(TOKEN).key
    return jwt.decode(TOKEN, key, [ALGORITHM], audience=AUDIENCE, issuer=ISSUER)['sub']


def by_authlib():
    options = {'iss': {'essential': True, 'value': ISSUER}, 'aud': {'essential': True, 'value': AUDIENCE}}
    keys = JsonWebKey.import_key_set(KEYS)
    claims = JsonWebToken([ALGORITHM]).decode(TOKEN, keys, claims_options=options)
    claims.validate()
    return claims['sub']


def by_python_jose():
    kid = python_jose.get_unverified_header(TOKEN)['kid']
    key = next(key for key in KEYS['keys'] if key['kid'] == kid)
    return python_jose.decode(TOKEN, key, [ALGORITHM], audience=AUDIENCE, issuer=ISSUER)['sub']


def by_simple_jwt():
    return TokenBackend(ALGORITHM, jwk_url=JWKS_URI, issuer=ISSUER, audience=AUDIENCE).decode(TOKEN)['sub']


results = {}
libraries = {
    'PyJWT': by_pyjwt,
    'Authlib': by_authlib,
    'python-jose': by_python_jose,
    'djangorestframework-simplejwt': by_simple_jwt,
}
for name, verify in libraries.items():
    try:
        results[name] = verify()
    except Exception as error:
        results[name] = f'refused: {error!r}'
print(json.dumps(results))
