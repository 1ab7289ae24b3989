import os
from flask import Flask, redirect
from flask_dance.consumer import OAuth2ConsumerBlueprint

ISSUER = os.environ['ISSUER']
os.environ['OAUTHLIB_INSECURE_TRANSPORT'] = '1'  # the app itself is not behind TLS
app = Flask(__name__)
app.secret_key = 'of the cookie'
gatehouse = OAuth2ConsumerBlueprint(
    'gatehouse',
    __name__,
    client_id=os.environ['CLIENT_ID'],
    client_secret=os.environ['CLIENT_SECRET'],
    base_url=ISSUER,
    token_url=ISSUER + '/oauth2/token',
    authorization_url=ISSUER + '/oauth2/authorize',
    authorization_url_params={'nonce': 'n-0S6_WzA2Mj'},
    scope=['openid', 'profile', 'email'],
    redirect_to='me',
)
app.register_blueprint(gatehouse)


@app.get('/login')
def login():
    return redirect('/gatehouse')


@app.get('/me')
def me():
    return gatehouse.session.get('/oauth2/userinfo').json()


app.run(port=int(os.environ['PORT']))
