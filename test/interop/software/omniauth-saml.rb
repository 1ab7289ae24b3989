require 'json'
require 'omniauth'
require 'omniauth-saml'
require 'onelogin/ruby-saml'
require 'rack'
require 'rack/session/cookie'
require 'webrick'

site, metadata, key, certificate = ENV.values_at('SITE', 'METADATA', 'KEY', 'CERTIFICATE')
provider = OneLogin::RubySaml::IdpMetadataParser.new.parse_to_hash(metadata)
options = provider.merge(
  sp_entity_id: "#{site}/saml",
  assertion_consumer_service_url: "#{site}/auth/saml/callback",
  single_logout_service_url: "#{site}/auth/saml/slo",
  name_identifier_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  slo_default_relay_state: '/signed-out',
  private_key: key,
  certificate: certificate,
  idp_sso_service_url_runtime_params: { 'state' => 'RelayState' },
  security: {
    authn_requests_signed: true, logout_requests_signed: true, want_assertions_signed: true,
    digest_method: XMLSecurity::Document::SHA256, signature_method: XMLSecurity::Document::RSA_SHA256
  }
)
OmniAuth.config.allowed_request_methods = [:get]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.logger = Logger.new(File::NULL)
user = {}
app = lambda do |env|
  request = Rack::Request.new(env)
  redirect = ->(to) { [302, { 'location' => to }, []] }
  case request.path
  when '/login' then redirect.call('/auth/saml?state=orders')
  when '/auth/saml/callback'
    answer = env['omniauth.auth']
    attributes = answer.extra.raw_info.to_h
    user = { name_id: answer.uid, relay_state: request.params['RelayState'], attributes: attributes }
    redirect.call('/me')
  when '/logout' then redirect.call('/auth/saml/spslo')
  when '/signed-out'
    user = { signed_out: request.session['saml_uid'].nil? }
    redirect.call('/me')
  when '/metadata' then redirect.call('/auth/saml/metadata')
  else [200, { 'content-type' => 'application/json' }, [user.to_json]]
  end
end
stack = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 'of-the-cookie-' * 8
  use OmniAuth::Strategies::SAML, options
  run app
end
quiet = { AccessLog: [], Logger: WEBrick::Log.new(File::NULL) }
Rack::Handler::WEBrick.run(stack.to_app, Port: Integer(ENV.fetch('PORT')), **quiet)
