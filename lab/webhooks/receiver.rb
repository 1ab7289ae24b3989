#!/usr/bin/env ruby
require "base64"
require "json"
require "openssl"

id, timestamp, body = ENV.values_at("WEBHOOK_ID", "WEBHOOK_TIMESTAMP", "WEBHOOK_BODY")
key = Base64.decode64(ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_"))
expected = "v1," + Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body}"))
genuine = ENV.fetch("WEBHOOK_SIGNATURE").split(" ").any? do |signature|
  OpenSSL.secure_compare(expected, signature)
end
abort "refused" unless genuine && (Time.now.to_i - timestamp.to_i).abs <= 300

event = JSON.parse(body)
puts "#{event["type"]} #{event["subject"]}"
