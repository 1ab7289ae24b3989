import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.metadata import entity_descriptor

SITE = os.environ['SITE']
for name in ('KEY', 'CERTIFICATE'):
    with open(name, 'w') as file:
        file.write(os.environ[name])
config = SPConfig().load({
    'entityid': SITE + '/saml',
    'metadata': {'inline': [os.environ['METADATA']]},
    'key_file': 'KEY',
    'cert_file': 'CERTIFICATE',
    'allow_unknown_attributes': True,
    'service': {
        'sp': {
            'endpoints': {
                'assertion_consumer_service': [(SITE + '/acs', BINDING_HTTP_POST)],
                'single_logout_service': [(SITE + '/slo', BINDING_HTTP_REDIRECT)],
            },
            'name_id_format': ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
            'authn_requests_signed': True,
            'want_assertions_signed': True,
            'want_response_signed': True,
            'allow_unsolicited': False,
            'logout_requests_signed': True,
            'signing_algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
            'digest_algorithm': 'http://www.w3.org/2001/04/xmlenc#sha256',
        }
    },
})
client = Saml2Client(config)
waiting = {}
user = {}
state = {}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def redirect(self, location):
        self.send_response(302)
        self.send_header('location', location)
        self.end_headers()

    def text(self, body):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body.encode())

    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == '/login':
            request_id, info = client.prepare_for_authenticate(relay_state='orders')
            waiting[request_id] = '/'
            self.redirect(dict(info['headers'])['Location'])
        elif url.path == '/logout':
            answers = client.global_logout(state['name_id'])
            (_, (_, info)), = answers.items()
            self.redirect(dict(info['headers'])['Location'])
        elif url.path == '/slo':
            answer = client.parse_logout_request_response(query['SAMLResponse'], BINDING_HTTP_REDIRECT)
            user.clear()
            user['signed_out'] = answer.status_ok()
            self.redirect('/me')
        elif url.path == '/metadata':
            self.text(str(entity_descriptor(config)))
        else:
            self.text(json.dumps(user))

    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length'])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        answer = client.parse_authn_request_response(form['SAMLResponse'], BINDING_HTTP_POST, waiting)
        state['name_id'] = answer.name_id
        user.update(name_id=answer.name_id.text, relay_state=form.get('RelayState'), attributes=answer.ava)
        self.redirect('/me')


HTTPServer(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()
