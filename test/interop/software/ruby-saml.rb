require 'json'
require 'onelogin/ruby-saml'
require 'webrick'

site, metadata, key, certificate = ENV.values_at('SITE', 'METADATA', 'KEY', 'CERTIFICATE')
settings = OneLogin::RubySaml::IdpMetadataParser.new.parse(metadata)
settings.sp_entity_id = "#{site}/saml"
settings.assertion_consumer_service_url = "#{site}/acs"
settings.single_logout_service_url = "#{site}/slo"
settings.name_identifier_format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
settings.private_key = key
settings.certificate = certificate
settings.security.merge!(
  authn_requests_signed: true, logout_requests_signed: true, want_assertions_signed: true,
  digest_method: XMLSecurity::Document::SHA256, signature_method: XMLSecurity::Document::RSA_SHA256
)
request_id = nil
user = {}
server = WEBrick::HTTPServer.new(Port: Integer(ENV.fetch('PORT')), AccessLog: [], Logger: WEBrick::Log.new(File::NULL))
server.mount_proc '/login' do |_, response|
  request = OneLogin::RubySaml::Authrequest.new
  request_id = request.uuid
  response.set_redirect(WEBrick::HTTPStatus::Found, request.create(settings, RelayState: 'orders'))
end
server.mount_proc '/acs' do |request, response|
  options = { settings: settings, matches_request_id: request_id }
  answer = OneLogin::RubySaml::Response.new(request.query['SAMLResponse'], options)
  raise answer.errors.join(', ') unless answer.is_valid?
  settings.name_identifier_value = answer.name_id
  settings.sessionindex = answer.sessionindex
  user = { name_id: answer.name_id, relay_state: request.query['RelayState'], attributes: answer.attributes.all }
  response.set_redirect(WEBrick::HTTPStatus::Found, '/me')
end
server.mount_proc '/logout' do |_, response|
  request = OneLogin::RubySaml::Logoutrequest.new
  request_id = request.uuid
  response.set_redirect(WEBrick::HTTPStatus::Found, request.create(settings, RelayState: 'bye'))
end
server.mount_proc '/slo' do |request, response|
  options = { matches_request_id: request_id, get_params: request.query }
  answer = OneLogin::RubySaml::Logoutresponse.new(request.query['SAMLResponse'], settings, options)
  raise answer.errors.join(', ') unless answer.validate
  user = { signed_out: true }
  response.set_redirect(WEBrick::HTTPStatus::Found, '/me')
end
server.mount_proc('/me') do |_, response|
  response['content-type'] = 'application/json'
  response.body = user.to_json
end
server.mount_proc('/metadata') do |_, response|
  response.body = OneLogin::RubySaml::Metadata.new.generate(settings)
end
server.start
