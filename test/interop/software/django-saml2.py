import os

import django
from django.conf import settings
from django.core.management import call_command
from django.http import JsonResponse
from django.shortcuts import redirect
from django.urls import include, path
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.ident import decode

SITE = os.environ['SITE']
PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
for name in ('KEY', 'CERTIFICATE'):
    with open(name, 'w') as file:
        file.write(os.environ[name])
settings.configure(
    ALLOWED_HOSTS=['localhost'],
    AUTHENTICATION_BACKENDS=['djangosaml2.backends.Saml2Backend'],
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': os.path.join(os.getcwd(), 'saml.db')}},
    DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    INSTALLED_APPS=['django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', 'djangosaml2'],
    LOGOUT_REDIRECT_URL='/signed-out',
    MIDDLEWARE=[
        'django.contrib.sessions.middleware.SessionMiddleware',
        'django.contrib.auth.middleware.AuthenticationMiddleware',
        'djangosaml2.middleware.SamlSessionMiddleware',
    ],
    ROOT_URLCONF=__name__,
    SAML_ATTRIBUTE_MAPPING={'email': ('username', 'email')},
    SAML_CONFIG={
        'entityid': SITE + '/saml',
        'metadata': {'inline': [os.environ['METADATA']]},
        'key_file': 'KEY',
        'cert_file': 'CERTIFICATE',
        'allow_unknown_attributes': True,
        'service': {
            'sp': {
                'endpoints': {
                    'assertion_consumer_service': [(SITE + '/saml/acs/', BINDING_HTTP_POST)],
                    'single_logout_service': [(SITE + '/saml/ls/', BINDING_HTTP_REDIRECT)],
                },
                'name_id_format': [PERSISTENT],
                'authn_requests_signed': True,
                'want_assertions_signed': True,
                'want_response_signed': True,
                'logout_requests_signed': True,
                'signing_algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
                'digest_algorithm': 'http://www.w3.org/2001/04/xmlenc#sha256',
            }
        },
    },
    SAML_DEFAULT_BINDING=BINDING_HTTP_REDIRECT,
    SAML_LOGOUT_REQUEST_PREFERRED_BINDING=BINDING_HTTP_REDIRECT,
    SECRET_KEY='of-this-test',
    SESSION_SERIALIZER='django.contrib.sessions.serializers.PickleSerializer',
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True}],
)
django.setup()
from djangosaml2 import views  # noqa: E402


def login(request):
    return redirect('/saml/login/?next=/orders')


def orders(request):
    """Is opened by the RelayState."""
    name_id = decode(request.saml_session['_saml2_subject_id']).text
    return JsonResponse({'name_id': name_id, 'relay_state': 'orders', 'attributes': {'email': request.user.email}})


def signed_out(request):
    return JsonResponse({'signed_out': request.user.is_anonymous})


urlpatterns = [
    path('saml/', include('djangosaml2.urls')),
    path('login', login),
    path('orders', orders),
    path('logout', views.LogoutInitView.as_view()),
    path('signed-out', signed_out),
    path('metadata', views.MetadataView.as_view()),
]
call_command('migrate', verbosity=0)
call_command('runserver', f"127.0.0.1:{os.environ['PORT']}", '--noreload', '--nothreading')
