import os
import jwt  # PyJWT

issuer, audience = os.environ["ISSUER"], os.environ["AUDIENCE"]
keys = jwt.PyJWKClient(os.environ.get("GATEHOUSE", issuer) + "/.well-known/jwks.json")


def verify(token):
    """Returns the claims; raises jwt.InvalidTokenError."""
    if jwt.get_unverified_header(token).get("typ") != "at+jwt":
        raise jwt.InvalidTokenError("type")
    try:
        key = keys.get_signing_key_from_jwt(token).key
    except jwt.PyJWKClientError as error:
        raise jwt.InvalidTokenError("key") from error
    required = ["exp", "iat", "sub", "client_id"]
    return jwt.decode(token, key, ["ES256"], {"require": required}, audience=audience, issuer=issuer)


if __name__ == "__main__":
    try:
        claims = verify(os.environ["TOKEN"])
        print(claims["sub"], claims["scope"])
    except jwt.InvalidTokenError:
        print("refused")
