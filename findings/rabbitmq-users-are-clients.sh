#!/usr/bin/env bash
# RabbitMQ 3.10.8 (Debian 12): all people who come by one app are one user, named after the app.
#
# Behaviour: rabbitmq_auth_backend_oauth2 names the user of a token by `client_id`, and by `sub` only
# where there is none. RFC 9068 (section 2.2) requires both in an access token: `sub` is the person,
# `client_id` the app that asked for the token. Neither `user_name` nor `preferred_username` counts.
# Consequence: with providers that keep to RFC 9068, limits of a user, the validated `user_id` of a
# message, the log and close_all_user_connections mean the app, and with it each of its people.
# Output: for each token, the name of the user
# Needs erlang, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root rabbitmq-server=3.10.8-1.1+deb12u1
dpkg -x ./*.deb .
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts jose@6.2.18 >/dev/null 2>&1
cat >sign.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const { publicKey, privateKey } = await generateKeyPair('ES256');
const TOKENS = {
  ada: { sub: 'ada', client_id: 'shop' },
  eve: { sub: 'eve', client_id: 'shop', user_name: 'eve', preferred_username: 'eve' },
  'eve-without-client': { sub: 'eve' },
};
for (const [name, claims] of Object.entries(TOKENS)) {
  const token = new SignJWT({ ...claims, scope: 'broker.read:*/*' })
    .setProtectedHeader({ alg: 'ES256', kid: 'key', typ: 'at+jwt' })
    .setIssuer('https://login.example.com')
    .setAudience('broker')
    .setIssuedAt()
    .setExpirationTime('5m');
  writeFileSync(name, await token.sign(privateKey));
}
writeFileSync('key.json', JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'key', alg: 'ES256' }));
JS
node sign.mjs
cat >users.escript <<'ERL'
#!/usr/bin/env escript
main(Names) ->
    [code:add_patha(Path) || Path <- filelib:wildcard("usr/lib/rabbitmq/lib/*/plugins/*/ebin")],
    {ok, _} = application:ensure_all_started(jose),
    {ok, Key} = file:read_file("key.json"),
    Keys = #{signing_keys => #{<<"key">> => {map, jose:decode(Key)}}},
    application:set_env(rabbitmq_auth_backend_oauth2, resource_server_id, <<"broker">>),
    application:set_env(rabbitmq_auth_backend_oauth2, key_config, maps:to_list(Keys)),
    lists:foreach(fun(Name) ->
        {ok, Token} = file:read_file(Name),
        Result = rabbit_auth_backend_oauth2:user_login_authentication(<<>>, [{password, Token}]),
        {ok, User} = Result,
        io:format("~s: ~s~n", [Name, element(2, User)])
    end, Names).
ERL
timeout 60 escript users.escript ada eve eve-without-client | tee found
[ "$(paste -sd, found)" = 'ada: shop,eve: shop,eve-without-client: eve' ]
