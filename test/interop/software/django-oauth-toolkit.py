# An API by Django OAuth Toolkit, which asks the provider about each token (RFC 7662).
import os
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.http import JsonResponse
from django.urls import path

settings.configure(
    ALLOWED_HOSTS=['*'],
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': os.path.join(os.getcwd(), 'toolkit.db')}},
    DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    INSTALLED_APPS=['django.contrib.auth', 'django.contrib.contenttypes', 'oauth2_provider'],
    OAUTH2_PROVIDER={
        'RESOURCE_SERVER_INTROSPECTION_URL': f"{os.environ['ISSUER']}/oauth2/introspect",
        'RESOURCE_SERVER_INTROSPECTION_CREDENTIALS': (os.environ['CLIENT_ID'], os.environ['CLIENT_SECRET']),
        'SCOPES': {'openid': 'Sign in'},
    },
    ROOT_URLCONF=__name__,
    SECRET_KEY='of-this-test',
    TIME_ZONE='UTC',
    USE_TZ=True,
)
django.setup()
from oauth2_provider.decorators import protected_resource  # noqa: E402


@protected_resource(scopes=['openid'])
def orders(request):
    return JsonResponse({'user': request.resource_owner.username})


urlpatterns = [path('', orders)]
call_command('migrate', verbosity=0)
call_command('runserver', f"127.0.0.1:{os.environ['PORT']}", '--noreload', '--nothreading')
