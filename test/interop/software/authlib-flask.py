import os
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

SITE = os.environ['SITE']
app = Flask(__name__)
app.secret_key = 'of the cookie'
oauth = OAuth(app)
oauth.register(
    'gatehouse',
    client_id=os.environ['CLIENT_ID'],
    client_secret=os.environ['CLIENT_SECRET'],
    server_metadata_url=os.environ['ISSUER'] + '/.well-known/openid-configuration',
    client_kwargs={'scope': 'openid profile email', 'code_challenge_method': 'S256'},
)
tokens = {}


@app.get('/login')
def login():
    return oauth.gatehouse.authorize_redirect(SITE + '/callback')


@app.get('/callback')
def callback():
    tokens.update(oauth.gatehouse.authorize_access_token())
    session['user'] = dict(tokens['userinfo'])
    return redirect('/me')


@app.get('/me')
def me():
    return session['user']


@app.get('/refresh')
def refresh():
    endpoint = oauth.gatehouse.load_server_metadata()['token_endpoint']
    with oauth.gatehouse._get_oauth_client() as client:
        renewed = client.refresh_token(endpoint, refresh_token=tokens['refresh_token'])
    return {'refreshed': renewed['access_token'] != tokens['access_token']}


app.run(port=int(os.environ['PORT']))
