/**
 * Password hashes that other implementations have made: PHP 8.2 (bcrypt, Argon2, crypt(3), PBKDF2),
 * Python 3 with OpenSSL and libcrypt (scrypt, PBKDF2, crypt(3)), Django and passlib themselves, and
 * the example of Firebase.
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
  'PBKDF2-SHA256 by Django 5.2.17': {
    plain: 'pbkdf2_sha256$1300$5tcWP4cWifKcTk0N4Ab3Hi$Bf5b4PIA3SaZAPLiPgE7RFF0AY+i4kCV851zr6lsftE=',
    unicode: 'pbkdf2_sha256$1300$6UzVv47EIVQtiGUYTZyM88$N8oTGmqGI+40333zxe0/xcQFr6YPurmX6Oqb5Zo/KsA=',
  },
  'PBKDF2-SHA1 by Django 5.2.17': {
    plain: 'pbkdf2_sha1$1300$sy4xua0Edjg7FzjI5JWXYY$cUxiNFpczFfDnG3Dv20IZXlSu0k=',
    unicode: 'pbkdf2_sha1$1300$5hvIkdM0WrxYcRAkNarOmV$4l3VcbUJHO8T6MvCmM4NxURwxys=',
  },
  'scrypt by Django 5.2.17': {
    plain:
      'scrypt$1024$ZzOfYsfcTe7guzR8jAbAbZ$8$5$ZxosRPbMskck3ag1UMXw5IUSKCTrrQSYTqzx/Ue23DuhxJfrRzMMTqbB3lmdt2GTlsXg885Y0I7o2AlBndtGog==',
    unicode:
      'scrypt$1024$5k4bPtkiauEjG90CObXijH$8$5$Mn5QKy1E3wY4S4IoTfuHqqDM4bk+x3ljgGzBfl0LD72J1cWA9yaarHWi7CbZIrEOb90mi8RLb2OuGdRl3H8B0w==',
  },
  'bcrypt_sha256 by Django 5.2.17': {
    plain: 'bcrypt_sha256$$2b$05$kyKQ99F9MwEV5kCcF2OD4OBiADYQ252sxEc60HkPgssGHaO8Xaxvy',
    unicode: 'bcrypt_sha256$$2b$05$wNn8MzKIH5Yl/N1kgyXBsOlEt0fw5wrf5SbhkkUr6rH2vzmDaxCky',
  },
  'bcrypt by Django 5.2.17': {
    plain: 'bcrypt$$2b$05$kiKdV0ZQ/mWrZP5V/BYsUeU5Q3lFf24DjQToC6c1aFq9FIvGl17g.',
    unicode: 'bcrypt$$2b$05$cNHd3kj/hEmo8qLiWZXH8e5ky3eWSzZUW2c4/NzpV0tO.dMk96KEW',
  },
  'PBKDF2-SHA256 by passlib 1.7.4': {
    plain: '$pbkdf2-sha256$1300$TslZ630v5Vwr5by3do7x/g$z1gBOjuDUO9I7.a15dgysQhf.X05K9eScKd3MEYud84',
    unicode: '$pbkdf2-sha256$1300$GMO411rrXcv5v3fOWQvBWA$PvdKV9TmG6g9o.UbxNehVVpX7k0aT/UuMshWIS73UaA',
  },
  'PBKDF2-SHA512 by passlib 1.7.4': {
    plain:
      '$pbkdf2-sha512$1300$RkjJOacUotS6V8q5V0qp9Q$DT86gJVr1Q8C5nXKbWI8fRFNSzut1hUmZch/rtrqJjoQ8PC8LElvLfSdz388mjuid7E4H2XbFy/.hFYZKvg4QQ',
    unicode:
      '$pbkdf2-sha512$1300$BKDUWkuJcQ7BWCsFoDSG8A$vU3c8BqiqmS4uYYvO1oj4lE6mqiUJg5NKopgzkN8aNhRBzMrOalvVKLKs6bLLQCAGRROBoZWbFnJ6LO..kTGvA',
  },
  'PBKDF2-SHA1 by passlib 1.7.4': {
    plain: '$pbkdf2$1300$lVIqhXCO0bpXijHmvLc2Zg$IqFCI1qxQB12KlyfjNmJHG.RACA',
    unicode: '$pbkdf2$1300$aU2J0XpvDeEcg/Bey/mfcw$EvYRittjsfo1xjvT1d.hv6TBrNY',
  },
  'scrypt by passlib 1.7.4': {
    plain: '$scrypt$ln=10,r=8,p=1$XGvt3ft/b41RCgGAkNK6Nw$FrQ24j1tUwJooZgUfaESUIrowVXU0Ofciw3/MgEzTvU',
    unicode: '$scrypt$ln=10,r=8,p=1$xngvJeTcu7c2BsC413ovpQ$yuscTTKQKmgrb48+wgBIxhRMVpXtGV+esLtEAoYcJMs',
  },
  'phpass by passlib 1.7.4': {
    plain: '$P$6McfxwYKssITNKpMfSwXN/VGNw2QAR0',
    unicode: '$P$66M5hxITvigVTsiKGXPwY8ZyeEy0Zi0',
  },
  'SHA-512 crypt by passlib 1.7.4': {
    plain:
      '$6$rounds=1000$Vi99nNrAOeg1/O9L$aRloqr0wEPrC5eyVeXBGSvScUF4EGCdcAr5VgQLbfzYlOAQTC7o7BfME.TxfNun5eGa4ThjFXLp62N4HgcxQY/',
    unicode:
      '$6$rounds=1000$JgcoBQkAWNavEjqY$pYhrBMSCBr/fCn4K6Ho04SH4SWXZnUaz5LcfiUnvl.mUsp.5BfAoajAGHkM1lLPWDXtsIdSrChxXA4pD/knVn1',
  },
  'SHA-256 crypt by passlib 1.7.4': {
    plain: '$5$rounds=1000$R5704xtFeKIxbRN8$dI22fQ01a.gKJZl.8MkZNF.3Svdw0EoxpZsylwKJMU.',
    unicode: '$5$rounds=1000$nESKv8IwFZbGGGaI$nXVRoPSPkOeZwhbJphrCz/lsTPLzFyliBK3V7TSD6iA',
  },
};

/** Hashes of the two passwords that an import stores in a wrap alone, with their scheme then. */
export const WEAK_VECTORS: Readonly<
  Record<string, { readonly plain: string; readonly unicode: string; readonly scheme: string }>
> = {
  '{SHA} by passlib 1.7.4': {
    plain: '{SHA}0AY9zGn5pKdji7n1AjN8arWkBqg=',
    unicode: '{SHA}Jyw++8Gwis3YLpFcFQiWobt9EmY=',
    scheme: 'sha1.after',
  },
  '{SSHA} by passlib 1.7.4': {
    plain: '{SSHA}kX1YG6kBY6m/HkEckD9nApjO3Oi7l3LO',
    unicode: '{SSHA}w8KPqwT6lZ0FiFIg3Xxn/l0w78DhnNPa',
    scheme: 'sha1.after',
  },
  '{SSHA256} by passlib 1.7.4': {
    plain: '{SSHA256}FAeLF7r4eGvgFjh5Uu5S33iQqVdx04STXetOlOMfWJFwLmVsrZUSwg==',
    unicode: '{SSHA256}ox9UH8wCzLS+rL8BzJrJCZlesjVAvCoIbNzqqVj+Uah8b81ZyxkDwA==',
    scheme: 'sha256.after',
  },
  '{SSHA512} by passlib 1.7.4': {
    plain:
      '{SSHA512}VTRKqiccf4sbtAvC9AjW/E/GCJxkSOBkZxXp6ZM9dSR9FYNN91QMoMLVyHZTLnEY9XGGyXzOJnsfMZmxIg4YiFNKaQ2BECJE',
    unicode:
      '{SSHA512}1DmY2Q3UCfQoHwOkk3p78b34cdLhVcdrZJ42cm14424DPC6Gk4pMI+bBL/Yy8wT5mrsJXdQvBof0glCkDXwCt2MMAaAU4nzP',
    scheme: 'sha512.after',
  },
  '{MD5} by passlib 1.7.4': {
    plain: '{MD5}0x7uditLO1+mvhCW4JuaSA==',
    unicode: '{MD5}BIA+Dk9iJuNWU472nlkwBA==',
    scheme: 'md5.after',
  },
  '{SMD5} by passlib 1.7.4': {
    plain: '{SMD5}SqDWR/7FXMsJPo40UGN8BhiDkPI=',
    unicode: '{SMD5}YeTPqaCUO4Vl0RunCz3hP+T8Xys=',
    scheme: 'md5.after',
  },
  'MD5 crypt by passlib 1.7.4': {
    plain: '$1$J1mDfG21$8UiTZ4hiwWdMiVBMmlKXQ/',
    unicode: '$1$3pNGDAhq$Gn1MVc1VbpBFSom38WzO8/',
    scheme: 'md5crypt.crypt',
  },
  "Apache's MD5 crypt by passlib 1.7.4": {
    plain: '$apr1$QYQN/YVq$wo.I3br9W6b8ok1FsowJ3.',
    unicode: '$apr1$AGZHBEAl$lu7U.P0atibU6lkXL483Z0',
    scheme: 'md5crypt.apache',
  },
  'salted SHA-1 by Django 3.2.25': {
    plain: 'sha1$iiA3FogLV6lD1TV94RfKko$fbb929f1efb14e30ea8d4f535cde1491d0b7b478',
    unicode: 'sha1$gERNXQWShC5dixDPENxPRW$542735a8bd29bd21f56c3bacce189bf36860719c',
    scheme: 'sha1.before',
  },
  'salted MD5 by Django 3.2.25': {
    plain: 'md5$laZFjNjvfG1OwTV46CfCp3$a1db8210121525dbfe1e5f673dde3367',
    unicode: 'md5$h9kid6dvEDlrXVZjXOGRz2$b002b4233f38431e59f1f48e307980e4',
    scheme: 'md5.before',
  },
  'SHA-1 without a salt by Django 3.2.25': {
    plain: 'sha1$$d0063dcc69f9a4a7638bb9f502337c6ab5a406a8',
    unicode: 'sha1$$272c3efbc1b08acdd82e915c150896a1bb7d1266',
    scheme: 'sha1.before',
  },
  'MD5 without a salt by Django 3.2.25': {
    plain: 'd31eee762b4b3b5fa6be1096e09b9a48',
    unicode: '04803e0e4f6226e356538ef69e593004',
    scheme: 'md5.before',
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
