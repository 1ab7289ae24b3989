package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func random() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func main() {
	ctx := context.Background()
	site := os.Getenv("SITE")
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		panic(err)
	}
	endpoint := provider.Endpoint()
	// Else the library repeats a failed exchange by another method: a second use of the code.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	config := oauth2.Config{
		ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint: endpoint, RedirectURL: site + "/callback",
		Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	// x/oauth2 of Debian 12 has no PKCE: its two parameters are given by hand.
	secret, nonce := random(), random()
	var tokens *oauth2.Token
	answer := func(response http.ResponseWriter, value any, err error) {
		if err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(response).Encode(value)
	}

	http.HandleFunc("/login", func(response http.ResponseWriter, request *http.Request) {
		hash := sha256.Sum256([]byte(secret))
		challenge := base64.RawURLEncoding.EncodeToString(hash[:])
		url := config.AuthCodeURL("the-state", oidc.Nonce(nonce),
			oauth2.SetAuthURLParam("code_challenge", challenge),
			oauth2.SetAuthURLParam("code_challenge_method", "S256"))
		http.Redirect(response, request, url, http.StatusFound)
	})
	http.HandleFunc("/callback", func(response http.ResponseWriter, request *http.Request) {
		code := request.URL.Query().Get("code")
		exchanged, err := config.Exchange(ctx, code, oauth2.SetAuthURLParam("code_verifier", secret))
		if err != nil {
			answer(response, nil, err)
			return
		}
		raw, _ := exchanged.Extra("id_token").(string)
		token, err := verifier.Verify(ctx, raw)
		if err == nil && token.Nonce != nonce {
			err = errors.New("another nonce")
		}
		if err != nil {
			answer(response, nil, err)
			return
		}
		tokens = exchanged
		http.Redirect(response, request, "/me", http.StatusFound)
	})
	http.HandleFunc("/me", func(response http.ResponseWriter, request *http.Request) {
		var claims map[string]any
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
		if err == nil {
			err = info.Claims(&claims)
		}
		answer(response, claims, err)
	})
	http.HandleFunc("/refresh", func(response http.ResponseWriter, request *http.Request) {
		old := &oauth2.Token{RefreshToken: tokens.RefreshToken}
		renewed, err := config.TokenSource(ctx, old).Token()
		isNew := err == nil && renewed.AccessToken != tokens.AccessToken
		answer(response, map[string]bool{"refreshed": isNew}, err)
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
