import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.net.URI;
import java.util.Set;

public class Verify {
  public static void main(String[] arguments) throws Exception {
    String issuer = System.getenv("ISSUER");
    var keys = JWKSourceBuilder.create(URI.create(issuer + "/.well-known/jwks.json").toURL()).build();
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt")));
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.ES256, keys));
    processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
        System.getenv("AUDIENCE"),
        new JWTClaimsSet.Builder().issuer(issuer).build(),
        Set.of("exp", "iat", "sub", "client_id")));
    // Throws BadJOSEException or JOSEException for a token to refuse.
    System.out.println(processor.process(System.getenv("TOKEN"), null).getSubject());
  }
}
