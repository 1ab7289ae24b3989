import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlsplit

from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser as Parser

SITE = os.environ['SITE']
OWN = {
    'strict': True,
    'sp': {
        'entityId': f'{SITE}/saml',
        'assertionConsumerService': {'url': f'{SITE}/acs', 'binding': Names.BINDING_HTTP_POST},
        'singleLogoutService': {'url': f'{SITE}/slo', 'binding': Names.BINDING_HTTP_REDIRECT},
        'NameIDFormat': Names.NAMEID_PERSISTENT,
        'x509cert': os.environ['CERTIFICATE'],
        'privateKey': os.environ['KEY'],
    },
    'security': {
        'authnRequestsSigned': True,
        'logoutRequestSigned': True,
        'logoutResponseSigned': True,
        'wantMessagesSigned': True,
        'wantAssertionsSigned': True,
        'signatureAlgorithm': Names.RSA_SHA256,
        'digestAlgorithm': Names.SHA256,
        # By default it asks for a sign-in by password.
        'requestedAuthnContext': False,
    },
}
SETTINGS = Parser.merge_settings(OWN, Parser.parse(os.environ['METADATA']))
user, sent = {}, {}


class App(BaseHTTPRequestHandler):
    def do_GET(self):
        self.serve({})

    def do_POST(self):
        length = int(self.headers['content-length'])
        self.serve(dict(parse_qsl(self.rfile.read(length).decode())))

    def serve(self, form):
        global user
        url = urlsplit(self.path)
        request = {
            'https': 'off', 'http_host': urlsplit(SITE).netloc, 'script_name': url.path,
            'get_data': dict(parse_qsl(url.query)), 'post_data': form, 'query_string': url.query,
        }
        auth = OneLogin_Saml2_Auth(request, SETTINGS)
        if url.path == '/login':
            location = auth.login(return_to='orders')
            sent['id'] = auth.get_last_request_id()
            return self.answer(302, location=location)
        if url.path == '/acs':
            auth.process_response(request_id=sent['id'])
            if auth.get_errors():
                return self.answer(500, [*auth.get_errors(), auth.get_last_error_reason()])
            user = {
                'name_id': auth.get_nameid(), 'relay_state': form['RelayState'],
                'attributes': auth.get_attributes(), 'index': auth.get_session_index(),
            }
            return self.answer(302, location='/me')
        if url.path == '/logout':
            location = auth.logout(
                name_id=user['name_id'], session_index=user['index'],
                name_id_format=Names.NAMEID_PERSISTENT,
            )
            sent['id'] = auth.get_last_request_id()
            return self.answer(302, location=location)
        if url.path == '/slo':
            auth.process_slo(request_id=sent['id'], delete_session_cb=lambda: None)
            if auth.get_errors():
                return self.answer(500, [*auth.get_errors(), auth.get_last_error_reason()])
            user = {'signed_out': True}
            return self.answer(302, location='/me')
        if url.path == '/metadata':
            return self.answer(200, auth.get_settings().get_sp_metadata())
        return self.answer(200, user)

    def answer(self, status, body='', location=None):
        self.send_response(status)
        if location:
            self.send_header('location', location)
        self.end_headers()
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        self.wfile.write(body if isinstance(body, bytes) else body.encode())

    def log_message(self, *_):
        pass


HTTPServer(('127.0.0.1', int(os.environ['PORT'])), App).serve_forever()
