#!/usr/bin/env bash
# Lasso 2.8.1 (Debian 12): requests of an app are signed by SHA-1, unless each server object is told otherwise.
#
# Behaviour: a LassoServer made from metadata and a key signs by rsa-sha1 (signatureMethod 1), which the
# standards for signatures no longer allow (NIST SP 800-131A). Metadata cannot say otherwise: DigestMethod
# and SigningMethod of the provider (SAML Metadata Profile for Algorithm Support) change nothing.
# Consequence: a provider that refuses SHA-1 refuses each sign-in and logout of the app, or those only that are
# signed. Set signatureMethod, or MellonSignatureMethod of mod_auth_mellon.
# Output: the algorithm of a request by HTTP-Redirect
# Needs python3 3.11, libglib2.0-0, libxslt1.1, libxml2, openssl, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root python3-lasso=2.8.1-1+deb12u1 liblasso3=2.8.1-1+deb12u1 \
  libxmlsec1=1.2.37-2 libxmlsec1-openssl=1.2.37-2
for package in *.deb; do dpkg -x "$package" .; done
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=app 2>/dev/null
cat >run.py <<'PY'
import sys
from urllib.parse import parse_qs, urlparse

import lasso

APP, PROVIDER = 'https://app.example.com/saml', 'https://id.example.com/saml'
CERTIFICATE = ''.join(open('cert.pem').read().splitlines()[1:-1])
KEY = (
    '<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>'
    f'<X509Certificate>{CERTIFICATE}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>'
)
MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
SUPPORT = (
    '<Extensions xmlns:alg="urn:oasis:names:tc:SAML:metadata:algsupport">'
    '<alg:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>'
    f'<alg:SigningMethod Algorithm="{MORE}rsa-sha256"/></Extensions>'
)


def metadata(entity, role, endpoint, extensions=''):
    signed = 'AuthnRequestsSigned' if role == 'SPSSODescriptor' else 'WantAuthnRequestsSigned'
    return (
        f'<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{entity}">{extensions}'
        f'<{role} {signed}="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">{KEY}{endpoint}</{role}>'
        '</EntityDescriptor>'
    )


def endpoint(name, binding, more=''):
    place = f'Binding="urn:oasis:names:tc:SAML:2.0:bindings:{binding}" Location="https://example.com/{name}"'
    return f'<{name} {place}{more}/>'


def algorithm(extensions='', method=None):
    consumer = endpoint('AssertionConsumerService', 'HTTP-POST', ' index="0"')
    server = lasso.Server.newFromBuffers(metadata(APP, 'SPSSODescriptor', consumer), open('key.pem').read())
    single = endpoint('SingleSignOnService', 'HTTP-Redirect')
    server.addProviderFromBuffer(lasso.PROVIDER_ROLE_IDP, metadata(PROVIDER, 'IDPSSODescriptor', single, extensions))
    if method is not None:
        server.signatureMethod = method
    login = lasso.Login(server)
    login.initAuthnRequest(PROVIDER, lasso.HTTP_METHOD_REDIRECT)
    login.buildAuthnRequestMsg()
    return parse_qs(urlparse(login.msgUrl).query)['SigAlg'][0].split('#')[1]


lines = [
    f'by default: {algorithm()}',
    f'for a provider that announces SHA-256: {algorithm(SUPPORT)}',
    f'with signatureMethod: {algorithm(method=lasso.SIGNATURE_METHOD_RSA_SHA256)}',
]
print('\n'.join(lines))
wanted = [
    'by default: rsa-sha1',
    'for a provider that announces SHA-256: rsa-sha1',
    'with signatureMethod: rsa-sha256',
]
sys.exit(lines != wanted)
PY
export LD_LIBRARY_PATH="$folder/usr/lib/x86_64-linux-gnu" PYTHONPATH="$folder/usr/lib/python3/dist-packages"
timeout 60 python3 run.py
