#!/usr/bin/env bash
# Lifecycle of a satellite with curl. OPERATOR_TOKEN and VISITOR_TOKEN are access tokens of an operator and of a visitor signed in at the app.
set -euo pipefail
api=${GATEHOUSE_URL:-http://localhost:3000}/api/v1/iam
json='content-type: application/json'
operator="authorization: Bearer $OPERATOR_TOKEN"
visitor="authorization: Bearer $VISITOR_TOKEN"
redirect_uri=https://help.example.com/callback
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }                # the value of one JSON field
status() { curl -sS -o /dev/null -w '%{http_code}\n' "$@"; }          # the status only
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# The operator registers the satellite. Only this response has the secret.
secret=$(curl -fsS "$api/satellites" -H "$json" -H "$operator" \
  -d '{"clientId":"help-by-hand","name":"Help","redirectUris":["'$redirect_uri'"]}' | field clientSecret)

# The satellite's server generates a verifier, stores it, and sends the visitor to the app with the challenge.
verifier=$(openssl rand 32 | base64url)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64url)

# The app requests a code with the visitor's token, and sends the visitor back with it.
code=$(curl -fsS "$api/auth/satellite/code" -H "$json" -H "$visitor" \
  -d '{"clientId":"help-by-hand","redirectUri":"'$redirect_uri'","codeChallenge":"'$challenge'"}' | field code)

# The satellite's server exchanges it within a minute.
tokens=$(curl -fsS "$api/auth/satellite/token" -H "$json" \
  -d '{"code":"'$code'","clientId":"help-by-hand","clientSecret":"'$secret'","codeVerifier":"'$verifier'"}')
satellite="authorization: Bearer $(field accessToken <<<"$tokens")"

echo "The satellite knows $(curl -fsS "$api/me" -H "$satellite" | field firstName)."

# Ten minutes later: a refresh. Without the secret it is refused.
refresh_token=$(field refreshToken <<<"$tokens")
echo "Refresh without the secret: $(status "$api/auth/refresh" -H "$json" -d '{"refreshToken":"'$refresh_token'"}')"
tokens=$(curl -fsS "$api/auth/refresh" -H "$json" \
  -d '{"refreshToken":"'$refresh_token'","clientId":"help-by-hand","clientSecret":"'$secret'"}')
satellite="authorization: Bearer $(field accessToken <<<"$tokens")"

# The operator rotates the secret. For a day both work: the bad code is refused (400). With a wrong one the client is refused (401).
new_secret=$(curl -fsS -X POST "$api/satellites/help-by-hand/rotate-secret" -H "$operator" | field clientSecret)
exchange() { # with an invalid code
  status "$api/auth/satellite/token" -H "$json" \
    -d '{"code":"none","clientId":"help-by-hand","clientSecret":"'$1'","codeVerifier":"'$verifier'"}'
}
echo "With the old secret: $(exchange "$secret")"
echo "With the new secret: $(exchange "$new_secret")"
echo "With a wrong secret: $(exchange ghs_wrong)"

# While disabled, its tokens are refused; enabled, they work again.
curl -fsS -o /dev/null -X POST "$api/satellites/help-by-hand/disable" -H "$operator"
echo "While it is disabled: $(status "$api/me" -H "$satellite")"
curl -fsS -o /dev/null -X POST "$api/satellites/help-by-hand/enable" -H "$operator"
echo "Enabled again: $(status "$api/me" -H "$satellite")"

# The visitor logs out at the app.
echo "Logout at the app: $(status -X POST "$api/auth/logout" -H "$visitor")"
echo "Then, at the satellite: $(status "$api/me" -H "$satellite")"
