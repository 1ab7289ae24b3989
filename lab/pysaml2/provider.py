"""Identity provider of pysaml2: reads commands from its input, a JSON object a line, and answers
each by one. Its messages travel through the browser, so that it needs no server."""
import base64
import json
import re
import sys
from os import path
from urllib.parse import parse_qs, urlsplit

from saml2 import BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORDPROTECTEDTRANSPORT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NAME_FORMAT_URI, NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature
from saml2.time_util import in_a_while
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

BASE = 'https://pysaml2.example'
SIGNED = ('SAMLRequest', 'RelayState', 'SigAlg', 'Signature')

folder = sys.argv[1]
known = path.join(folder, 'gatehouse.xml')


def settings():
    """Returns the configuration, with the metadata of the service once it is known."""
    return IdPConfig().load(
        {
            'entityid': f'{BASE}/idp',
            'xmlsec_binary': '/usr/bin/xmlsec1',
            'key_file': path.join(folder, 'idp.key'),
            'cert_file': path.join(folder, 'idp.crt'),
            'metadata': {'local': [known] if path.exists(known) else []},
            'service': {
                'idp': {
                    'name': 'pysaml2',
                    'endpoints': {
                        'single_sign_on_service': [(f'{BASE}/sso', BINDING_HTTP_REDIRECT)],
                        'single_logout_service': [(f'{BASE}/slo', BINDING_HTTP_REDIRECT)],
                    },
                    'policy': {'default': {'lifetime': {'minutes': 5}, 'name_form': NAME_FORMAT_URI}},
                    'name_id_format': [NAMEID_FORMAT_PERSISTENT],
                }
            },
        }
    )


def query_of(url):
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def verified(server, query, issuer):
    """Returns whether the signature of a redirect is by a key of the service's metadata."""
    signed = {name: query[name] for name in SIGNED if name in query}
    certificates = server.metadata.certs(issuer, 'any', 'signing')
    return any(verify_redirect_signature(signed, server.sec.sec_backend, key) for key in certificates)


def answer(server, url, person, email):
    """Signs a person in. Returns the form for the service."""
    query = query_of(url)
    request = server.parse_authn_request(query['SAMLRequest'], BINDING_HTTP_REDIRECT)
    told = server.response_args(request.message)
    response = str(
        server.create_authn_response(
            {'mail': [email]},
            in_response_to=told['in_response_to'],
            destination=told['destination'],
            sp_entity_id=told['sp_entity_id'],
            name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=person),
            authn={'class_ref': PASSWORDPROTECTEDTRANSPORT, 'authn_auth': f'{BASE}/idp'},
            sign_assertion=True,
            sign_response=True,
            sign_alg=SIG_RSA_SHA256,
            digest_alg=DIGEST_SHA256,
        )
    )
    return {
        'isSigned': verified(server, query, told['sp_entity_id']),
        'sessionIndex': re.search(r'SessionIndex="([^"]+)"', response).group(1),
        'fields': {
            'SAMLResponse': base64.b64encode(response.encode()).decode(),
            'RelayState': query.get('RelayState', ''),
        },
    }


def log_out(server, destination, person, index):
    """Ends a session. Returns the address for the browser."""
    _, request = server.create_logout_request(
        destination,
        None,
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=person),
        expire=in_a_while(minutes=5),
        session_indexes=[index],
    )
    sent = server.apply_binding(
        BINDING_HTTP_REDIRECT, str(request), destination, 'state', sign=True, sigalg=SIG_RSA_SHA256
    )
    return {'url': dict(sent['headers'])['Location']}


def read_logout(server, url):
    """Reads the service's request to end a session."""
    query = query_of(url)
    request = server.parse_logout_request(query['SAMLRequest'], BINDING_HTTP_REDIRECT).message
    return {
        'isSigned': verified(server, query, request.issuer.text),
        'person': request.name_id.text,
        'indexes': [index.text for index in request.session_index],
    }


def describe(_server):
    return {'metadata': str(entity_descriptor(settings()))}


def register(_server, metadata):
    with open(known, 'w', encoding='utf-8') as file:
        file.write(metadata)
    return {}


COMMANDS = {
    'describe': describe,
    'register': register,
    'answer': answer,
    'logOut': log_out,
    'readLogout': read_logout,
}

for line in sys.stdin:
    name, given = json.loads(line)
    print(json.dumps(COMMANDS[name](Server(config=settings()), **given)), flush=True)
