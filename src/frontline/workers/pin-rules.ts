/**
 * PINs of six digits that are chosen most often and that no rule below refuses: dates, years twice,
 * shapes on the keypad. From published counts of leaked PINs and of digits in leaked passwords.
 */
const FREQUENT = new Set(
  `112233 159753 789456 159357 147258 456123 520131 147852 258456 123654 369258 456321 741852 852456 963852
   102030 110110 123123 321654 987123 445566 778899 223344 334455 556677 667788 112211 221122 001122 100200
   100100 200200 201201 520520 521521 147369 369147 258369 369852 951753 753951 357159 159159 246810 135790
   135791 142536 415263 102938 192837 112358 314159 271828 141421 161803 141592 235711 007007 198000 199000
   198010 199010 199111 198888 199999 200000 200001 201010 201314 131452 131420 520131 521314 168168 168888
   518518 888666 666888 999666 123789 789123 321456 654123 987321 147147 258258 369369 741741 852852 963963
   123987 010203 020304 030405 040506 050607 060708 070809 121314 131415 141516 151617 161718 171819 101112
   111213 202122 212223 222324 232425 242526 252627`.split(/\s+/),
);

/**
 * Returns whether a PIN is among the first that a guesser would try: the same digit or group of
 * digits again and again, digits in a row, one of the {@link FREQUENT}, or the person's number.
 * @param number of the person
 */
export function isGuessable(pin: string, number: string): boolean {
  return isRepetition(pin) || isRun(pin) || FREQUENT.has(pin) || number.replaceAll(/\D/g, '') === pin;
}

const isRepetition = (pin: string): boolean => /^(\d{1,6}?)\1+$/.test(pin) || /^(\d)\1+(\d)\2+$/.test(pin);

/** Digits in a row, up or down: 123456, 987654, 890123. */
function isRun(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, n) => (Number(digit) - Number(pin[n]) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
