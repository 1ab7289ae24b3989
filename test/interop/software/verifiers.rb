# Verifies one access token by each library, as its documents show it, and prints what each says.
require 'json'
require 'json/jwt'
require 'jwt'
require 'net/http'

ISSUER, TOKEN, ALGORITHM, AUDIENCE = ENV.values_at('ISSUER', 'TOKEN', 'ALGORITHM', 'AUDIENCE')
KEYS = JSON.parse(Net::HTTP.get(URI("#{ISSUER}/.well-known/jwks.json")))

by_ruby_jwt = lambda do
  options = { algorithms: [ALGORITHM], iss: ISSUER, verify_iss: true, aud: AUDIENCE, verify_aud: true }
  keys = JSON.parse(KEYS.to_json, symbolize_names: true)
  JWT.decode(TOKEN, nil, true, jwks: ->(_) { keys }, **options).first['sub']
end
by_json_jwt = lambda do
  claims = JSON::JWT.decode(TOKEN, JSON::JWK::Set.new(KEYS['keys']), [ALGORITHM.to_sym])
  raise 'another issuer or audience' unless claims[:iss] == ISSUER && claims[:aud] == AUDIENCE

  claims[:sub]
end
results = { 'ruby-jwt' => by_ruby_jwt, 'json-jwt' => by_json_jwt }.transform_values do |verify|
  verify.call
rescue StandardError => e
  "refused: #{e.class} #{e.message}"
end
puts results.to_json
