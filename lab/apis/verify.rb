require 'json'
require 'jwt'
require 'net/http'

ISSUER, AUDIENCE, TENANT = %w[ISSUER AUDIENCE TENANT].map { |name| ENV.fetch(name) }
KEYS = "#{ENV.fetch('GATEHOUSE', ISSUER)}/.well-known/jwks.json"

# Returns the claims; raises JWT::DecodeError.
def verify(token)
  load = ->(_options) { JSON.parse(Net::HTTP.get(URI(KEYS)), symbolize_names: true) } # cache it for minutes
  claims, header = JWT.decode(token, nil, true,
                              algorithms: ['ES256'], jwks: load,
                              iss: ISSUER, verify_iss: true, aud: AUDIENCE, verify_aud: true,
                              required_claims: %w[exp iat sub client_id])
  raise JWT::DecodeError, 'type' unless header['typ'] == 'at+jwt'
  raise JWT::DecodeError, 'organization' unless claims['tid'] == TENANT

  claims
end

if $PROGRAM_NAME == __FILE__
  begin
    claims = verify(ENV.fetch('TOKEN'))
    puts "#{claims['sub']} #{claims['scope']}"
  rescue JWT::DecodeError
    puts 'refused'
  end
end
