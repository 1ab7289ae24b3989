import os
from flask import Flask, redirect, request, session
from social_core.backends.open_id_connect import OpenIdConnectAuth
from social_core.storage import AssociationMixin, BaseStorage
from social_core.strategy import BaseStrategy

SITE = os.environ['SITE']
SETTINGS = {
    'SOCIAL_AUTH_OIDC_OIDC_ENDPOINT': os.environ['ISSUER'],
    'SOCIAL_AUTH_OIDC_KEY': os.environ['CLIENT_ID'],
    'SOCIAL_AUTH_OIDC_SECRET': os.environ['CLIENT_SECRET'],
}


class Associations(AssociationMixin):
    """Nonces of sign-ins that have begun; the packages for Django and others keep them in a table."""

    kept = {}

    def __init__(self, handle):
        self.id = self.handle = handle

    @classmethod
    def store(cls, server_url, association):
        cls.kept[association.handle] = cls(association.handle)

    @classmethod
    def get(cls, server_url=None, handle=None):
        return [cls.kept[handle]] if handle in cls.kept else []

    @classmethod
    def remove(cls, ids_to_delete):
        for one in ids_to_delete:
            cls.kept.pop(one)


class Storage(BaseStorage):
    association = Associations


class Strategy(BaseStrategy):
    def get_setting(self, name):
        return SETTINGS[name]

    def request_data(self, merge=True):
        return request.args

    def redirect(self, url):
        return redirect(url)

    def build_absolute_uri(self, path=None):
        return SITE + (path or '')

    def session_get(self, name, default=None):
        return session.get(name, default)

    def session_set(self, name, value):
        session[name] = value

    def session_pop(self, name):
        return session.pop(name, None)

    def authenticate(self, backend, response, **kwargs):
        return response


app = Flask(__name__)
app.secret_key = 'of the cookie'


def backend():
    return OpenIdConnectAuth(Strategy(Storage), redirect_uri='/callback')


@app.get('/login')
def login():
    return backend().start()


@app.get('/callback')
def callback():
    session['user'] = backend().auth_complete()
    return redirect('/me')


@app.get('/me')
def me():
    return session['user']


app.run(port=int(os.environ['PORT']))
