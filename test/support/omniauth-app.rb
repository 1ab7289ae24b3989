# An app on the strategy that GitLab uses, with the settings of docs/apps/gitlab.md.
#   ruby omniauth-app.rb PORT ISSUER CLIENT_ID CLIENT_SECRET
require 'json'
require 'securerandom'
require 'openid_connect'
require 'omniauth_openid_connect'
require 'rack'
require 'rack/session/cookie'
require 'webrick'

PORT, ISSUER, CLIENT_ID, CLIENT_SECRET = ARGV

# This machine serves discovery without TLS.
SWD.url_builder = URI::HTTP
WebFinger.url_builder = URI::HTTP

# Version 0.10 of the strategy has no PKCE; later ones send these parameters.
class WithPkce < OmniAuth::Strategies::OpenIDConnect
  option :name, 'openid_connect'

  def authorize_uri
    session['pkce'] = SecureRandom.urlsafe_base64(48)
    digest = Digest::SHA256.digest(session['pkce'])
    options.extra_authorize_params = {
      code_challenge: Base64.urlsafe_encode64(digest, padding: false),
      code_challenge_method: 'S256'
    }
    super
  end

  private

  def access_token
    @access_token ||= client.access_token!(
      client_auth_method: options.client_auth_method,
      code_verifier: session.delete('pkce')
    ).tap { |token| verify_id_token!(token.id_token) }
  end
end

OmniAuth.config.allowed_request_methods = %i[get]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.logger = Logger.new($stderr)
OmniAuth.config.on_failure = lambda do |env|
  [403, {}, ["#{env['omniauth.error.type']}: #{env['omniauth.error']&.message}"]]
end

APP = Rack::Builder.new do
  use Rack::Session::Cookie, secret: SecureRandom.hex(64)
  use WithPkce,
      scope: %w[openid profile email],
      response_type: 'code',
      issuer: ISSUER,
      discovery: true,
      client_auth_method: 'basic',
      uid_field: 'sub',
      send_scope_to_token_endpoint: false,
      client_options: {
        identifier: CLIENT_ID,
        secret: CLIENT_SECRET,
        redirect_uri: "http://127.0.0.1:#{PORT}/auth/openid_connect/callback"
      }
  run(lambda do |env|
    auth = env['omniauth.auth']
    next [404, {}, ['not found']] unless auth

    body = { uid: auth['uid'], name: auth['info']['name'], email: auth['info']['email'], scope: auth['credentials']['scope'] }
    [200, { 'content-type' => 'application/json' }, [JSON.generate(body)]]
  end)
end

require 'rack/handler/webrick'
Rack::Handler::WEBrick.run(APP, Host: '127.0.0.1', Port: Integer(PORT), AccessLog: [], Logger: WEBrick::Log.new(File::NULL))
