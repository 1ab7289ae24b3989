require 'json'
require 'oauth2'
require 'webrick'

issuer, site = ENV.values_at('ISSUER', 'SITE')
client = OAuth2::Client.new(
  ENV.fetch('CLIENT_ID'), ENV.fetch('CLIENT_SECRET'),
  site: issuer, authorize_url: '/oauth2/authorize', token_url: '/oauth2/token'
)
verifier = SecureRandom.urlsafe_base64(48)
tokens = nil
server = WEBrick::HTTPServer.new(Port: Integer(ENV.fetch('PORT')), AccessLog: [], Logger: WEBrick::Log.new(File::NULL))
json = lambda do |response, value|
  response['content-type'] = 'application/json'
  response.body = value.to_json
end
server.mount_proc '/login' do |_, response|
  challenge = Base64.urlsafe_encode64(Digest::SHA256.digest(verifier), padding: false)
  url = client.auth_code.authorize_url(
    redirect_uri: "#{site}/callback", scope: 'openid profile email', state: 'the-state',
    code_challenge: challenge, code_challenge_method: 'S256'
  )
  response.set_redirect(WEBrick::HTTPStatus::Found, url)
end
server.mount_proc '/callback' do |request, response|
  options = { redirect_uri: "#{site}/callback", code_verifier: verifier }
  tokens = client.auth_code.get_token(request.query['code'], options)
  response.set_redirect(WEBrick::HTTPStatus::Found, '/me')
end
server.mount_proc('/me') { |_, response| json.call(response, tokens.get('/oauth2/userinfo').parsed) }
server.mount_proc '/refresh' do |_, response|
  renewed = tokens.refresh!
  json.call(response, { refreshed: renewed.token != tokens.token })
end
server.start
