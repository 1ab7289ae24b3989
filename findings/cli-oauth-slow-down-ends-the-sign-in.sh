#!/usr/bin/env bash
# github.com/cli/oauth 1.0.1 (Debian 12): a device that is told to poll more slowly gives up.
#
# Behaviour: Wait() goes on after authorization_pending only. It takes slow_down, after which a client
# must go on, five seconds slower (RFC 8628, section 3.5), for the end. A code without an interval,
# whose default is 5 seconds (section 3.2), is an error before the person sees the code.
# Consequence: people approve the device, and it has stopped already; whether it does depends on how strictly
# the provider measures the interval.
# Output: what the device gets for each answer to its first poll, and without an interval
# Needs go, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root golang-github-cli-oauth-dev=1.0.1-1 golang-github-cli-browser-dev=1.1.0-2
for package in *.deb; do dpkg -x "$package" .; done
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/cli/oauth/device"
)

// signIn returns what the device gets when its first poll has this error.
func signIn(first string, interval any) string {
	polls := 0
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer := map[string]any{"device_code": "d", "user_code": "ABCD", "verification_uri": "https://id.example.com", "expires_in": 60}
		if interval != nil {
			answer["interval"] = interval
		}
		if r.URL.Path == "/token" {
			polls++
			answer = map[string]any{"access_token": "t", "token_type": "Bearer"}
			if polls == 1 {
				answer = map[string]any{"error": first}
				w.WriteHeader(400)
			}
		}
		json.NewEncoder(w).Encode(answer)
	}))
	defer provider.Close()
	code, err := device.RequestCode(http.DefaultClient, provider.URL+"/code", "app", []string{"openid"})
	if err != nil {
		return err.Error()
	}
	token, err := device.Wait(context.Background(), http.DefaultClient, provider.URL+"/token", device.WaitOptions{ClientID: "app", DeviceCode: code})
	if err != nil {
		return fmt.Sprintf("%v after %d poll", err, polls)
	}
	return fmt.Sprintf("token %s after %d polls", token.Token, polls)
}

func main() {
	lines := []string{
		"authorization_pending: " + signIn("authorization_pending", 1),
		"slow_down: " + signIn("slow_down", 1),
		"no interval: " + signIn("authorization_pending", nil),
	}
	fmt.Println(strings.Join(lines, "\n"))
	wanted := []string{
		"authorization_pending: token t after 2 polls",
		"slow_down: slow_down after 1 poll",
		`no interval: could not parse interval="" as integer: strconv.Atoi: parsing "": invalid syntax`,
	}
	if strings.Join(lines, "\n") != strings.Join(wanted, "\n") {
		os.Exit(1)
	}
}
GO
sources="$folder/usr/share/gocode/src"
mkdir -p "$sources/run"
mv main.go "$sources/run/"
cd "$sources/run"
GO111MODULE=off GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" GOFLAGS= timeout 120 go run main.go
