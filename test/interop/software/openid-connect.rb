require 'openid_connect'
require 'webrick'

issuer, site = ENV.values_at('ISSUER', 'SITE')
config = OpenIDConnect::Discovery::Provider::Config.discover!(issuer)
client = OpenIDConnect::Client.new(
  identifier: ENV.fetch('CLIENT_ID'),
  secret: ENV.fetch('CLIENT_SECRET'),
  redirect_uri: "#{site}/callback",
  authorization_endpoint: config.authorization_endpoint,
  token_endpoint: config.token_endpoint,
  userinfo_endpoint: config.userinfo_endpoint
)
verifier = SecureRandom.urlsafe_base64(48)
nonce = SecureRandom.hex(16)
user = {}
server = WEBrick::HTTPServer.new(Port: Integer(ENV.fetch('PORT')), AccessLog: [], Logger: WEBrick::Log.new(File::NULL))
server.mount_proc '/login' do |_, response|
  challenge = Base64.urlsafe_encode64(Digest::SHA256.digest(verifier), padding: false)
  uri = client.authorization_uri(
    scope: %i[profile email], nonce: nonce, state: nonce,
    code_challenge: challenge, code_challenge_method: 'S256'
  )
  response.set_redirect(WEBrick::HTTPStatus::Found, uri)
end
server.mount_proc '/callback' do |request, response|
  client.authorization_code = request.query['code']
  tokens = client.access_token!(code_verifier: verifier)
  id_token = OpenIDConnect::ResponseObject::IdToken.decode(tokens.id_token, config.jwks)
  id_token.verify!(issuer: issuer, client_id: client.identifier, nonce: nonce)
  user = tokens.userinfo!.raw_attributes
  response.set_redirect(WEBrick::HTTPStatus::Found, '/me')
end
server.mount_proc('/me') do |_, response|
  response['content-type'] = 'application/json'
  response.body = user.to_json
end
server.start
