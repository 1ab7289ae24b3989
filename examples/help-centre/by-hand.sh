#!/usr/bin/env bash
# A satellite's whole life by hand. OPERATOR_TOKEN and VISITOR_TOKEN are access tokens of an operator and of a visitor who is signed in at the app.
set -euo pipefail
api=${GATEHOUSE_URL:-http://localhost:3000}/api/v1/iam
json='content-type: application/json'
operator="authorization: Bearer $OPERATOR_TOKEN"
visitor="authorization: Bearer $VISITOR_TOKEN"
redirect_uri=https://help.example.com/callback
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }                # a text out of an answer
status() { curl -sS -o /dev/null -w '%{http_code}\n' "$@"; }          # the status of an answer alone
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# The operator registers the satellite. The secret is in this answer and nowhere else.
secret=$(curl -fsS "$api/satellites" -H "$json" -H "$operator" \
  -d '{"clientId":"help-by-hand","name":"Help","redirectUris":["'$redirect_uri'"]}' | field clientSecret)

# The satellite's server makes a verifier, keeps it, and sends its visitor to the app with the challenge.
verifier=$(openssl rand 32 | base64url)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64url)

# The app asks for a code, in the visitor's name, and sends the visitor back with it.
code=$(curl -fsS "$api/auth/satellite/code" -H "$json" -H "$visitor" \
  -d '{"clientId":"help-by-hand","redirectUri":"'$redirect_uri'","codeChallenge":"'$challenge'"}' | field code)

# The satellite's server has a minute to exchange it.
tokens=$(curl -fsS "$api/auth/satellite/token" -H "$json" \
  -d '{"code":"'$code'","clientId":"help-by-hand","clientSecret":"'$secret'","codeVerifier":"'$verifier'"}')
satellite="authorization: Bearer $(field accessToken <<<"$tokens")"

echo "The satellite knows $(curl -fsS "$api/me" -H "$satellite" | field firstName)."

# Ten minutes later: new tokens for the old ones. Without the secret a refresh token is of no use.
refresh_token=$(field refreshToken <<<"$tokens")
echo "Refresh without the secret: $(status "$api/auth/refresh" -H "$json" -d '{"refreshToken":"'$refresh_token'"}')"
tokens=$(curl -fsS "$api/auth/refresh" -H "$json" \
  -d '{"refreshToken":"'$refresh_token'","clientId":"help-by-hand","clientSecret":"'$secret'"}')
satellite="authorization: Bearer $(field accessToken <<<"$tokens")"

# The operator rotates the secret. For a day either is good: the answer is about the code (400). With another it is about the client (401).
new_secret=$(curl -fsS -X POST "$api/satellites/help-by-hand/rotate-secret" -H "$operator" | field clientSecret)
exchange() { # without a code that is any good
  status "$api/auth/satellite/token" -H "$json" \
    -d '{"code":"none","clientId":"help-by-hand","clientSecret":"'$1'","codeVerifier":"'$verifier'"}'
}
echo "With the old secret: $(exchange "$secret")"
echo "With the new secret: $(exchange "$new_secret")"
echo "With a wrong secret: $(exchange ghs_wrong)"

# Disabled, all that it has is refused; enabled, it goes on.
curl -fsS -o /dev/null -X POST "$api/satellites/help-by-hand/disable" -H "$operator"
echo "While it is disabled: $(status "$api/me" -H "$satellite")"
curl -fsS -o /dev/null -X POST "$api/satellites/help-by-hand/enable" -H "$operator"
echo "Enabled again: $(status "$api/me" -H "$satellite")"

# The visitor logs out at the app.
echo "Logout at the app: $(status -X POST "$api/auth/logout" -H "$visitor")"
echo "Then, at the satellite: $(status "$api/me" -H "$satellite")"
