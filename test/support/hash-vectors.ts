/**
 * Password hashes that other implementations have made: PHP 8.2 (bcrypt, Argon2, crypt(3), PBKDF2),
 * Python 3 with OpenSSL and libcrypt (scrypt, PBKDF2, crypt(3)), and the example of Firebase.
 */
export const VECTOR_PASSWORDS = { plain: 'quiet-harbour-42', unicode: 'grüße 🚢' } as const;

/** By what has the hash: the hashes of the two passwords. */
export const HASH_VECTORS: Readonly<Record<string, { readonly plain: string; readonly unicode: string }>> = {
  'bcrypt ($2y$, PHP)': {
    plain: '$2y$05$JT3CUDx0FoIpDgRS3OfFYOpMzGhqm7SI96Rqbpz4h/ow2Qzw8SPCm',
    unicode: '$2y$05$v/RBzKdVKB54aCBTkzTn8OhKytFKxvH.W8gp6M8IHktBSBuqshPhi',
  },
  Argon2id: {
    plain: '$argon2id$v=19$m=1024,t=2,p=1$OFFmdHFiaUloVFovaWR5OA$iacWWfMoNKJrJvYHfAw+zQovzsuEKiONRyfPId3MAWs',
    unicode:
      '$argon2id$v=19$m=1024,t=2,p=1$M3dWNXU0ZjFNQ3p5NUh2Rg$vO2tsX93Kd8wsf8KtGCyJOS3jbhYyKqFFY9TU2WPsAc',
  },
  Argon2i: {
    plain: '$argon2i$v=19$m=1024,t=3,p=1$c2FNS05KOTdlbGlqSTBVag$GZPgmybVoT17wOA1ezyCKlDcIsxF6IHRRJS2Dd1vI6s',
    unicode:
      '$argon2i$v=19$m=1024,t=3,p=1$MWRCTEJMdGlXaWlyVWNOLw$+NFIecIcrvMpHfR8YE+owiXT8nGIghe2KY3Qh6Q3+RI',
  },
  'bcrypt (WordPress 6.8)': {
    plain: '$wp$2y$05$SqyRRMxjosuwU58ZOvd41.FP/M4NC3Q.VHvWklUZTtlz.FgEE7Y8K',
    unicode: '$wp$2y$05$vzNmjHunnYMjfnWtBurL1ONNZfAb7jiU9hPh.JJa5A9sUGS4Xtz7q',
  },
  'bcrypt_sha256 (Django)': {
    plain: 'bcrypt_sha256$$2y$05$ggIVfik29GJ9MfYYntGiYuGjNwKSe3cgspAY4.BBInfdHgQKAG9oW',
    unicode: 'bcrypt_sha256$$2y$05$sadWVQZZ33qaHcXM3U/8Zewd7i8ntMwKSWKky/v5.q2wcjQ1l4s1C',
  },
  'SHA-512 crypt': {
    plain:
      '$6$saltsaltsaltsalt$VAEwdTzWF/rGeRyyt41gveYaBGahHdekFyjn.M2cCvzwyTtexi5Rud.yFi5QSYSJVMe299KDkCjUghF6sJZ6H0',
    unicode:
      '$6$saltsaltsaltsalt$vKTTipFp3mAGjwNvRNF2bPIEKrv6GvDuGpnRSJtLDESE44CaqTbjkOxQumx7Ml3ODfkvQJOJPLYH4OhzyPOL01',
  },
  'SHA-256 crypt with rounds': {
    plain: '$5$rounds=1234$short$p6Pzy5L.PTmrGzY4oElr/UQEgtA6Jymfy9OAUPNTxiB',
    unicode: '$5$rounds=1234$short$baWpBFyUO0jIlZPca8m.94oDnd0s21eXkQcvSXynS6B',
  },
  'SHA-512 crypt with 1000 rounds': {
    plain:
      '$6$rounds=1000$a$HRbYWGwLojtjepG5yZ8aIqm4stlkFGcuG6As7241m8Oh9DgwOnd2qsejhoskpC.MOMbCVpjMHMN6mU5raVpoG.',
    unicode:
      '$6$rounds=1000$a$j6OXfnJT290HIaxthLQ5lGcg1L9KNb48qc2YJFl9qDHIN/25To5O650ekp/IjNQbtLwSgriDRBybRw9VqFEDG/',
  },
  'PBKDF2 (Django)': {
    plain: 'pbkdf2_sha256$1200$Na0Cl$xh8TNAnQrGu+BmY56GMvUlo6pDCqHYes3hLQKTMsYds=',
    unicode: 'pbkdf2_sha256$1200$Na0Cl$hxBJpPTJbpQEm/BkQpU2Hs39o8yx70qjRq2tmwt/3tA=',
  },
  'PBKDF2-SHA256 (ASP.NET v3)': {
    plain: 'AQAAAAEAAAPoAAAAEAHYHhludJdLTkW5ESITkjiGMQtIXZxXBBAp6uj6buHlmPbyAAFcA56sJqTaCM7/vQ==',
    unicode: 'AQAAAAEAAAPoAAAAEPaAUrFiOvwx53nyNtE9bS9hmWLSHRDCCD4vtiv9LDvXnW5H9eo55I6VcROqm8AlVQ==',
  },
  'PBKDF2-SHA512 (ASP.NET v3)': {
    plain: 'AQAAAAIAAAPoAAAAEAHYHhludJdLTkW5ESITkjjzOdMTXBFzl9HNiDrECg3WKDJDT5gvk8zg3NLsaicXRQ==',
    unicode: 'AQAAAAIAAAPoAAAAEPaAUrFiOvwx53nyNtE9bS+NlDP8bbmmaM5Rse56xxtNX8yKYS0XV5YlQExytB9hlg==',
  },
  'PBKDF2-SHA1 (ASP.NET v2)': {
    plain: 'AAHYHhludJdLTkW5ESITkjj00DJmbT+Q3lst0XGebuB1UbxeDYKUfZcgsmQBx15tiw==',
    unicode: 'APaAUrFiOvwx53nyNtE9bS8Yl4prf3tcJBi8YypbAOpXvx5fvc8uzkoQEHH8oUy9JA==',
  },
  phpass: {
    plain: '$P$6abcdefghOvYC8bvTz/1aue69RY0M21',
    unicode: '$P$6abcdefghqI0OvLtmR8n2KQ1cK9yS60',
  },
  'scrypt (Django)': {
    plain:
      'scrypt$1024$NaCl1$8$1$kmQFyeP/33GJALFJgRskz4oeB2BiDHDYOlX97HrEr3yi26q3OFzolvgIQQzmdbfgjrFWTZJa6/kcEIHOiU94ZA==',
    unicode:
      'scrypt$1024$NaCl1$8$1$UKMrquhlSzChgVDc1r7DLS1PabQCnGqqk73D+sbzU4DVw+GIyL6/c1ISpYiNsMIQKyBIqxELpEpndNRm/iK1GA==',
  },
  'scrypt (Werkzeug)': {
    plain:
      'scrypt:1024:8:1$NaCl1$926405c9e3ffdf718900b149811b24cf8a1e0760620c70d83a55fdec7ac4af7ca2dbaab7385ce896f808410ce675b7e08eb1564d925aebf91c1081ce894f7864',
    unicode:
      'scrypt:1024:8:1$NaCl1$50a32baae8654b30a18150dcd6bec32d2d4f69b4029c6aaa93bdc3fac6f35380d5c3e188c8bebf735212a5888db0c2102b2048ab110ba44a6774d466fe22b518',
  },
  'scrypt (PHC)': {
    plain: '$scrypt$ln=10,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$Y+jTtek919/iPT817+gqIywxF7CPtS50mOtKdGwSNRs',
    unicode: '$scrypt$ln=10,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$UESixvxuTVXWfqq5k/anEp5cKifMFfmmt1aN8FgOOr0',
  },
  'PBKDF2-SHA512 (passlib)': {
    plain:
      '$pbkdf2-sha512$1500$AAECAwQFBgcICQoLDA0ODw$LTDci0iqBZgkKHI.6yY0uZjkP4CkDIqPPxwrAcjUW9MTYbVNsWTgfUP806n9nvgDGhSq2W7MvBbQCBjAl1/4Gg',
    unicode:
      '$pbkdf2-sha512$1500$AAECAwQFBgcICQoLDA0ODw$2AdZDZ.otNvfGlgWkBhdaWqhwIoA2u4ry4OawptKf1ylZzvil024VXNlwCnE849wvDsx//KYN/stYmA4br.Vzw',
  },
  'PBKDF2-SHA1 (passlib)': {
    plain: '$pbkdf2$1500$AAECAwQFBgcICQoLDA0ODw$70ybrHnwHPGs3QRaIgWX7/BajAg',
    unicode: '$pbkdf2$1500$AAECAwQFBgcICQoLDA0ODw$Bz7pzqAdZGOkiztRSnZ6AWrQv38',
  },
  'PBKDF2-SHA1 (Django)': {
    plain: 'pbkdf2_sha1$1500$NaCl$x+13efixVBDldRTAlBpTMKmP4q8=',
    unicode: 'pbkdf2_sha1$1500$NaCl$Dg+cr01E6RTC2KHfsJUQa0Fe+Jc=',
  },
  'PBKDF2 (Werkzeug)': {
    plain: 'pbkdf2:sha256:1500$NaCl$61846b83a8e8f2c92aa30607f3ba98ab6621626d8f7692b7c008413218e8837f',
    unicode: 'pbkdf2:sha256:1500$NaCl$df99597e413299ee309e84fa2a8fabbf9e4b46db0805a273f8d4dfee5bfbcfa8',
  },
  'SHA-512 crypt by libcrypt': {
    plain:
      '$6$rounds=5000$python$s9ks51mzy4/sbjqfILlLnTziPQfZ7dVyr8PRgNRmYxv3VVH1Cr0DLaHByQXLCyKVKO2SpAQRRs5TMReCfZKyT/',
    unicode:
      '$6$rounds=5000$python$D.BhJv2al9Yerz5ZBETG1bltrR2beYZwgxHBCfyeGX2wXBM3tBaI3EYPqu9KW8UzheFwZ0OVUbIMNgNRcp7ZK0',
  },
};

/** Salt, and the PBKDF2-SHA256 of 1500 iterations and 64 bytes, as Keycloak stores them. */
export const KEYCLOAK_VECTOR = {
  salt: 'AAECAwQFBgcICQoLDA0ODw==',
  plain: 'uj5VPBWNsAXlMZvC1pDzCkqCQ3JUsPfvZcVP8TiaCNQL44jP7TvbvItA+nE00IF2iBB1R1sewnEgu6TbZjRCsQ==',
} as const;

/** The example of github.com/firebase/scrypt, as a line of an import has it. */
export const FIREBASE_VECTOR = {
  password: 'user1password',
  hash: `firebase-scrypt$8$14$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==`,
} as const;
