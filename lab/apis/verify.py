import os
from urllib.error import URLError
import jwt  # PyJWT

issuer, audience, tenant = (os.environ[name] for name in ("ISSUER", "AUDIENCE", "TENANT"))
keys = jwt.PyJWKClient(os.environ.get("GATEHOUSE", issuer) + "/.well-known/jwks.json")


def verify(token):
    """Returns the claims; raises jwt.InvalidTokenError, or PyJWKClientError in an outage."""
    if jwt.get_unverified_header(token).get("typ") != "at+jwt":
        raise jwt.InvalidTokenError("type")
    try:
        key = keys.get_signing_key_from_jwt(token).key
    except jwt.PyJWKClientError as error:
        if isinstance(error.__context__, URLError):
            raise  # the keys cannot be read: answer 503, the token is not at fault
        raise jwt.InvalidTokenError("key") from error
    required = ["exp", "iat", "sub", "client_id"]
    options = {"require": required, "verify_iat": False}  # our clock may be ahead of yours
    claims = jwt.decode(token, key, ["ES256"], options, audience=audience, issuer=issuer)
    if claims.get("tid") != tenant:
        raise jwt.InvalidTokenError("organization")
    return claims


if __name__ == "__main__":
    try:
        claims = verify(os.environ["TOKEN"])
        print(claims["sub"], claims["scope"])
    except jwt.InvalidTokenError:
        print("refused")
