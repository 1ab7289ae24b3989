import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.time.Instant;
import java.util.Base64;

public class Verify {
  static final String ISSUER = System.getenv("ISSUER");
  static final String AUDIENCE = System.getenv("AUDIENCE");
  static final String TENANT = System.getenv("TENANT");

  public static void main(String[] arguments) throws Exception {
    var service = System.getenv().getOrDefault("GATEHOUSE", ISSUER);
    var request = HttpRequest.newBuilder(URI.create(service + "/.well-known/jwks.json")).build();
    var keys = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body(); // cache it for minutes
    try {
      var claims = verify(System.getenv("TOKEN"), JsonParser.parseString(keys).getAsJsonObject());
      System.out.println(claims.get("sub").getAsString() + " " + claims.get("scope").getAsString());
    } catch (SecurityException refused) {
      System.out.println("refused");
    }
  }

  /** Returns the claims; throws SecurityException for a token to refuse. */
  static JsonObject verify(String token, JsonObject keys) throws Exception {
    require(token.matches("[\\w-]+\\.[\\w-]+\\.[\\w-]{86}"), "form");
    var parts = token.split("\\.");
    var header = read(parts[0]);
    require(is(header, "typ", "at+jwt") && is(header, "alg", "ES256"), "header");
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initVerify(find(keys, header.get("kid").getAsString()));
    signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
    require(signature.verify(Base64.getUrlDecoder().decode(parts[2])), "signature");
    var claims = read(parts[1]);
    require(is(claims, "iss", ISSUER) && is(claims, "aud", AUDIENCE), "issuer or audience");
    require(is(claims, "tid", TENANT), "organization");
    require(claims.get("exp").getAsLong() > Instant.now().getEpochSecond(), "expired");
    require(claims.has("sub") && claims.has("client_id"), "claims");
    return claims;
  }

  static PublicKey find(JsonObject keys, String kid) throws Exception {
    for (var element : keys.getAsJsonArray("keys")) {
      var key = element.getAsJsonObject();
      if (!is(key, "kid", kid) || !is(key, "alg", "ES256")) continue;
      var parameters = AlgorithmParameters.getInstance("EC");
      parameters.init(new ECGenParameterSpec("secp256r1"));
      var point = new ECPoint(number(key, "x"), number(key, "y"));
      var curve = parameters.getParameterSpec(ECParameterSpec.class);
      return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curve));
    }
    throw new SecurityException("key");
  }

  static JsonObject read(String part) {
    var text = new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
    return JsonParser.parseString(text).getAsJsonObject();
  }

  static BigInteger number(JsonObject key, String name) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(key.get(name).getAsString()));
  }

  static boolean is(JsonObject object, String name, String value) {
    return object.has(name) && object.get(name).getAsString().equals(value);
  }

  static void require(boolean holds, String what) {
    if (!holds) throw new SecurityException(what);
  }
}
